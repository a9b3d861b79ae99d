import type { components } from './schema';

export type AddApiKey = components['schemas']['AddApiKey'];
export type AccessEntry = components['schemas']['AccessEntry'];
export type Allowed = components['schemas']['Allowed'];
export type AllowedInList = components['schemas']['AllowedInList'];
export type ApiKey = components['schemas']['Found_Vec_ApiKey']['data'][number];
export type AuditEntry = components['schemas']['AuditEntry'];
export type BackupState = components['schemas']['BackupState'];
export type Chargeback = NonNullable<OrderDetails['chargeback']>;
export type ChargebackTerms = components['schemas']['ChargebackTerms'];
export type ChargebackDeadline = NonNullable<OrderSummary['chargeback']>;
export type CountryOrders = components['schemas']['Found_Vec_CountryOrders']['data'][number];
export type DefencePackDetails = components['schemas']['PackDetails'];
export type DefencePack = DefencePackDetails['packs'][number];
export type AuditEvent = components['schemas']['OrderEvent'];
export type Duplicate = components['schemas']['Duplicate'];
export type FolderCounts = components['schemas']['FolderCounts'];
/** Without the file names beside the fields: `documents` has them with more detail. */
export type OrderDetails = Named<components['schemas']['OrderDetails']>;
export type FoundOrder = components['schemas']['FoundOrder'];
export type HomeData = components['schemas']['Home'];
export type HomeGroup = components['schemas']['HomeGroup'];
export type KeyRight = components['schemas']['KeyRight'];
export type ListSettings = components['schemas']['ListSettings'];
export type OrderSummary = components['schemas']['OrderSummary'];
export type LookAtFinding = components['schemas']['LookAtFinding'];
export type MakePortalPhotograph = components['schemas']['MakePortalPhotograph'];
export type PaperCheck = components['schemas']['PaperCheck'];
export type PaperFinding = PaperCheck['findings'][number];
export type Passkey = components['schemas']['OwnPasskey'];
export type PaymentGateway = components['schemas']['Found_PaymentGateway']['data'];
export type ProcessedBy = components['schemas']['Found_Vec_ProcessedBy']['data'][number];
export type ProcessStatus = components['schemas']['ProcessStatus'];
export type RefundRequest = components['schemas']['RefundRequest'];
export type RowBudgetReached = components['schemas']['RowBudgetReached'];
export type RequiredDocument = OrderDetails['required_documents'][number];
export type SentMail = components['schemas']['SentMail'];
export type StoredFile = components['schemas']['StoredFile'];
export type SecondFactor = components['schemas']['Found_SecondFactor']['data'];
export type StaffSession = components['schemas']['Found_Vec_Session']['data'][number];
export type StaffType = components['schemas']['StaffType'];
export type TeamMember = components['schemas']['Found_TeamMember']['data'];
export type UserInfo = components['schemas']['UserInfo'];
export type Permission = keyof UserInfo['may'];

/** The fields of `Body` that have a name. */
type Named<Body> = { [Key in keyof Body as string extends Key ? never : Key]: Body[Key] };
