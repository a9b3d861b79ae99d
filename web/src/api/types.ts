import type { components } from './schema';

export type FolderCounts = components['schemas']['FolderCounts'];
export type OrderSummary = components['schemas']['OrderSummary'];
export type ProcessStatus = components['schemas']['ProcessStatus'];
export type UserInfo = components['schemas']['UserInfo'];
export type Permission = keyof UserInfo['may'];
