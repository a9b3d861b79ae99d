import { Fragment } from 'react';
import type { HomeData } from '@/api/types';
import { Card } from '@/ui/Card';
import { formatAmount, formatCount } from '@/ui/numbers';
import { plainDate } from '@/ui/times';
import classes from './DaysChart.module.css';

type Numbers = NonNullable<HomeData['numbers']>;

const HEIGHT = 96;
/** A pair of bars and the gap after it. */
const STEP = 12;
const BAR = 5;

/** Orders received and completed on each of the last 30 days; the last pair of bars is today so far. */
export function DaysChart({ numbers }: { numbers: Numbers }) {
  const { days, paid, median_minutes: median, priority_median_minutes: priority } = numbers;
  const top = Math.max(1, ...days.flatMap(({ received, completed }) => [received, completed]));
  const heightOf = (count: number) => (count / top) * HEIGHT;
  return (
    <Card as="section" className={classes.card} aria-labelledby="days">
      <header className={classes.head}>
        <h2 id="days">30 days</h2>
        <span className={classes.sum} data-series="in">
          Received {formatCount(numbers.received)}
        </span>
        <span className={classes.sum} data-series="done">
          Completed {formatCount(numbers.completed)}
        </span>
      </header>
      <div className={classes.chart}>
        <span className={classes.top} aria-hidden="true">
          {formatCount(top)}
        </span>
        <svg
          role="img"
          aria-label="Orders received and completed on each of the last 30 days"
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {days.map(({ day, received, completed }, place) => (
            <g key={day}>
              <title>{`${plainDate(day)}: ${received} received, ${completed} completed`}</title>
              <Bar x={place * STEP} height={heightOf(received)} series="in" />
              <Bar x={place * STEP + BAR} height={heightOf(completed)} series="done" />
            </g>
          ))}
        </svg>
        <p className={classes.ends} aria-hidden="true">
          <span>{plainDate(days[0]?.day ?? '').slice(0, 5)}</span>
          <span>today so far</span>
        </p>
      </div>
      <details className={classes.table}>
        <summary>Show as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Received</th>
              <th scope="col">Completed</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, received, completed }) => (
              <tr key={day}>
                <th scope="row">{plainDate(day)}</th>
                <td>{formatCount(received)}</td>
                <td>{formatCount(completed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      <dl className={classes.facts}>
        <div>
          <dt>Median time from payment to visa</dt>
          <dd>{medianText(median)}</dd>
        </div>
        <div>
          <dt>Priority</dt>
          <dd>{medianText(priority)}</dd>
        </div>
        {paid && paid.length > 0 && (
          <div>
            <dt>Paid</dt>
            <dd>
              {paid.map(({ currency, amount }) => (
                <Fragment key={currency}>
                  <span className={classes.amount}>
                    {currency} {formatAmount(amount)}
                  </span>{' '}
                </Fragment>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}

/** A dash while no order was delivered. */
function medianText(minutes: number | null | undefined): string {
  return typeof minutes === 'number' ? durationText(minutes) : '–';
}

function Bar({ x, height, series }: { x: number; height: number; series: 'in' | 'done' }) {
  return <rect x={x} y={HEIGHT - height} width={BAR} height={height} data-series={series} />;
}

/** Minutes as people say them: `40 min`, `9 h 20 min`, `3 days 4 h`. */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${minutes} min`;
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}
