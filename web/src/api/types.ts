import type { components } from './schema';

export type FolderCounts = components['schemas']['FolderCounts'];
export type OrderDetails = components['schemas']['OrderDetails'];
export type OrderSummary = components['schemas']['OrderSummary'];
export type ProcessStatus = components['schemas']['ProcessStatus'];
export type StoredFile = components['schemas']['StoredFile'];
export type UserInfo = components['schemas']['UserInfo'];
export type Permission = keyof UserInfo['may'];
export type VisaCatalogue = components['schemas']['Catalogue'];
export type VisaType = components['schemas']['VisaType'];
