import type { OrderDetails } from '@/api/types';
import { dateAndTime } from '@/ui/times';
import { Chip } from '@/ui/Chip';
import { Section } from '../Fact';
import { FileLink } from '../FileLink';
import { mediaTypeText, sizeText } from '../format';
import { documentList, missingDocuments, newestFile, type ListedDocument } from './documentList';
import classes from './Documents.module.css';

interface FilesProps {
  order: OrderDetails;
  /** The agency's time zone. */
  zone: string;
  /** Shows a stored file in the viewer. */
  onShow: (file1: string) => void;
}

/** The two files that every application has. */
export function ApplicantFiles({ order, zone, onShow }: FilesProps) {
  const files = [
    { kind: 'passport_picture', label: 'Travel document' },
    { kind: 'upload_picture', label: 'Photo' },
  ];
  return (
    <Section title="Applicant And Passport Image">
      <ul className={classes.documents}>
        {files.map(({ kind, label }) => (
          <DocumentItem
            key={kind}
            orderId={order.order_id}
            document={{ kind, label, need: 'required', ...newestFile(order.documents, kind) }}
            zone={zone}
            onShow={onShow}
          />
        ))}
      </ul>
    </Section>
  );
}

/** The documents of the chosen visa type, and which of them are on file. */
export function MainDocument({ order, zone, onShow }: FilesProps) {
  const list = documentList(order);
  const missing = missingDocuments(list).length;
  return (
    <Section title="Main document">
      {missing > 0 && (
        <p className={classes.missing}>
          {missing === 1
            ? '1 required document is missing.'
            : `${missing} required documents are missing.`}
        </p>
      )}
      {!order.issued_type && (
        <p className={classes.note}>
          {order.visa_type
            ? `The catalogue has no visa type ${order.visa_type}, so its documents are not known.`
            : 'No visa type is chosen, so the required documents are not known.'}
        </p>
      )}
      <ul className={classes.documents}>
        {list.map((document) => (
          <DocumentItem
            key={document.kind}
            orderId={order.order_id}
            document={document}
            zone={zone}
            onShow={onShow}
          />
        ))}
      </ul>
    </Section>
  );
}

interface DocumentItemProps extends Omit<FilesProps, 'order'> {
  orderId: number;
  document: ListedDocument;
}

function DocumentItem({ orderId, document, zone, onShow }: DocumentItemProps) {
  const { label, note, when, need, file, earlier } = document;
  return (
    <li>
      <div className={classes.line}>
        {file ? (
          <FileLink
            orderId={orderId}
            file1={file.file1}
            link={file.link}
            onPlainClick={() => onShow(file.file1)}
          >
            {label}
          </FileLink>
        ) : (
          <span>{label}</span>
        )}
        {file ? (
          <Chip tone="done">On file</Chip>
        ) : need === 'required' ? (
          <Chip tone="danger">Missing</Chip>
        ) : (
          <Chip tone="neutral">Not given</Chip>
        )}
      </div>
      {file && (
        <div className={classes.file}>
          <bdi>{file.original_name}</bdi> · {mediaTypeText(file.media_type)} ·{' '}
          {sizeText(file.size_bytes)} ·{' '}
          <time dateTime={file.created_at}>{dateAndTime(file.created_at, zone).slice(0, 10)}</time>
          {earlier > 0 && ` · ${earlier} earlier`}
        </div>
      )}
      {when && <div className={classes.note}>Needed when: {when}</div>}
      {note && !file && <div className={classes.note}>{note}</div>}
    </li>
  );
}
