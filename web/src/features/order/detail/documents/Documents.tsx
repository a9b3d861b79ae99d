import type { OrderDetails } from '@/api/types';
import { sizeText } from '@/ui/numbers';
import { dateAndTime } from '@/ui/times';
import { Chip } from '@/ui/Chip';
import { Folded } from '@/ui/Folded';
import { useZone } from '@/ui/zone';
import { Section } from '../Fact';
import { FileLink } from '../FileLink';
import { mediaTypeText } from '../format';
import { documentList, pictureOf, type ListedDocument } from './documentList';
import classes from './Documents.module.css';

interface FilesProps {
  order: OrderDetails;
  /** Shows a stored file in the viewer. */
  onShow: (file1: string) => void;
}

/** The two files that every application has. */
export function ApplicantFiles({ order, onShow }: FilesProps) {
  const pictures = [
    pictureOf(order, 'passport_picture', 'Travel document'),
    pictureOf(order, 'upload_picture', 'Photo'),
  ];
  const given = pictures.filter(({ file }) => file !== null).length;
  const isWhole = given === pictures.length;
  return (
    <Section
      title="Applicant And Passport Image"
      folded={isWhole ? `${given} of ${pictures.length}` : undefined}
    >
      <DocumentItems order={order} documents={pictures} onShow={onShow} />
    </Section>
  );
}

/** The documents of the chosen visa type, and which of them are on file. The viewer counts the missing ones. */
export function MainDocument({ order, onShow }: FilesProps) {
  const all = documentList(order);
  const inSomeCases = all.filter(({ when, file }) => when !== undefined && file === null);
  return (
    <Section title="Main document">
      {!order.issued_type && (
        <p className={classes.note}>
          {order.visa_type
            ? `The catalogue has no visa type ${order.visa_type}, so its documents are not known.`
            : 'No visa type is chosen, so the required documents are not known.'}
        </p>
      )}
      <DocumentItems
        order={order}
        documents={all.filter((document) => !inSomeCases.includes(document))}
        onShow={onShow}
      />
      {inSomeCases.length > 0 && (
        <Folded as="h3" title="Needed only in some cases" note={inSomeCases.length}>
          <DocumentItems order={order} documents={inSomeCases} onShow={onShow} />
        </Folded>
      )}
    </Section>
  );
}

type DocumentItemsProps = FilesProps & { documents: readonly ListedDocument[] };

function DocumentItems({ documents, ...files }: DocumentItemsProps) {
  return (
    <ul className={classes.documents}>
      {documents.map((document) => (
        <DocumentItem key={document.kind} document={document} {...files} />
      ))}
    </ul>
  );
}

function DocumentItem({ order, document, onShow }: FilesProps & { document: ListedDocument }) {
  const zone = useZone();
  const { label, note, when, isMissing, file, earlier } = document;
  return (
    <li>
      <div className={classes.line}>
        {file ? (
          <FileLink
            orderId={order.order_id}
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
        ) : (
          <Chip tone={isMissing ? 'danger' : 'neutral'}>{isMissing ? 'Missing' : 'Not given'}</Chip>
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
