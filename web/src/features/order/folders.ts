import type { FolderCounts, Permission } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import {
  assignToMe,
  deleteOrders,
  handOver,
  moveToOriginalFolder,
  reassign,
  refundedIt,
  restoreOrders,
  type OrderAction,
} from './actions/orderActions';
import {
  chargeBack,
  contact,
  future,
  owned,
  refund,
  standard,
  type ColumnTitles,
} from './columnSets';

/** An order list: its folder on the server and the parts of its screen. */
export interface Folder {
  orderName: string;
  /** The heading of the screen. */
  title: string;
  /** The label in the sidebar, where it differs. */
  linkLabel?: string;
  path: string;
  countKey: keyof FolderCounts;
  section: 'Work' | 'Waiting' | 'Done';
  /** The letter that follows `g`. */
  shortcut: string;
  columns: ColumnTitles;
  bulk: readonly OrderAction[];
  /** Its most urgent orders come first, unless the member chooses the newest. */
  hasUrgency?: true;
  /** Its rows offer no Delete, whatever the server allows. */
  withoutRowDelete?: true;
  /** Emails about its orders may wait, and can be stopped; refunds of its orders may wait for approval. */
  hasWaitingMails?: true;
  /** The permission that the folder needs; without it everyone sees the folder. */
  seenWith?: Permission;
}

/** The fourteen order lists, in the order of the sidebar. */
export const folders = {
  myOrder: {
    orderName: 'myOrder',
    title: 'My Orders',
    path: paths.myOrder,
    countKey: 'myOrdersCount',
    section: 'Work',
    shortcut: 'm',
    columns: standard,
    bulk: [moveToOriginalFolder, handOver, deleteOrders],
  },
  newOrder: {
    orderName: 'newOrder',
    title: 'New Orders',
    path: paths.recentOrder,
    countKey: 'newOrdersCount',
    section: 'Work',
    shortcut: 'n',
    columns: standard,
    bulk: [assignToMe, reassign, deleteOrders],
  },
  priorityOrder: {
    orderName: 'priorityOrder',
    title: 'Priority Orders',
    path: paths.priorityOrder,
    countKey: 'priorityOrdersCount',
    section: 'Work',
    shortcut: 'p',
    columns: standard,
    bulk: [assignToMe, reassign, deleteOrders],
  },
  pendingOrder: {
    orderName: 'pendingOrder',
    title: 'Pending Orders',
    path: paths.pendingOrder,
    countKey: 'pendingOrdersCount',
    section: 'Work',
    shortcut: 'e',
    columns: standard,
    bulk: [],
  },
  futureOrder: {
    orderName: 'futureOrder',
    title: 'Future Order',
    path: paths.futureOrder,
    countKey: 'futureOrdersCount',
    section: 'Work',
    shortcut: 'f',
    columns: future,
    bulk: [],
  },
  awaitingOrder: {
    orderName: 'awaitingOrder',
    title: 'Awaiting Customer',
    path: paths.awaitingResponse,
    countKey: 'awaitingOrdersCount',
    section: 'Waiting',
    shortcut: 'w',
    columns: owned,
    bulk: [reassign],
  },
  awaitingGovtOrder: {
    orderName: 'awaitingGovtOrder',
    title: 'Awaiting Govt',
    path: paths.awaitingGovt,
    countKey: 'awaitingGovtCount',
    section: 'Waiting',
    shortcut: 'v',
    columns: owned,
    bulk: [reassign],
  },
  contactCustomerOrder: {
    orderName: 'contactCustomerOrder',
    title: 'Contact Customer',
    path: paths.contactCustomer,
    countKey: 'contactCustomerOrdersCount',
    section: 'Waiting',
    shortcut: 't',
    columns: contact,
    bulk: [reassign],
  },
  customerCalledOrder: {
    orderName: 'customerCalledOrder',
    title: 'Customer Called',
    path: paths.called,
    countKey: 'customerCalledCount',
    section: 'Waiting',
    shortcut: 'l',
    columns: owned,
    bulk: [reassign],
  },
  completedOrder: {
    orderName: 'completedOrder',
    title: 'Completed Orders',
    path: paths.completedOrder,
    countKey: 'completedOrdersCount',
    section: 'Done',
    shortcut: 'c',
    columns: standard,
    bulk: [],
  },
  refundOrder: {
    orderName: 'refundOrder',
    title: 'Refunds',
    path: paths.refundOrder,
    countKey: 'refundOrdersCount',
    section: 'Done',
    shortcut: 'r',
    columns: refund,
    bulk: [refundedIt, deleteOrders],
    withoutRowDelete: true,
    hasWaitingMails: true,
  },
  chargeBackOrder: {
    orderName: 'chargeBackOrder',
    title: 'ChargeBack Orders',
    path: paths.chargeback,
    countKey: 'chargeBackCount',
    section: 'Done',
    shortcut: 'b',
    columns: chargeBack,
    hasUrgency: true,
    bulk: [reassign],
  },
  deletedOrder: {
    orderName: 'deletedOrder',
    title: 'Deleted Orders',
    linkLabel: 'Deleted Order',
    path: paths.deletedOrder,
    countKey: 'deletedOrdersCount',
    section: 'Done',
    shortcut: 'd',
    columns: standard,
    bulk: [restoreOrders],
  },
  allOrder: {
    orderName: 'allOrder',
    title: 'Order History',
    path: paths.orderHistory,
    countKey: 'allOrdersCount',
    section: 'Done',
    shortcut: 'y',
    columns: owned,
    bulk: [reassign],
    seenWith: 'see_order_history',
  },
} satisfies Record<string, Folder>;

export const allFolders: readonly Folder[] = Object.values(folders);

/** A folder by its name on the wire. */
export function folderNamed(orderName: string): Folder | undefined {
  return allFolders.find((folder) => folder.orderName === orderName);
}

/** The title of a folder by its name on the wire; that name if there is no such folder. */
export function folderTitle(orderName: string): string {
  return folderNamed(orderName)?.title ?? orderName;
}

/** The five folders with a tile on the home screen. */
export const tileFolders: readonly Folder[] = [
  folders.myOrder,
  folders.newOrder,
  folders.priorityOrder,
  folders.pendingOrder,
  folders.completedOrder,
];

/** Returns true if a member with these permissions sees the folder. */
export function isSeen(folder: Folder, may: Record<Permission, boolean>): boolean {
  return folder.seenWith === undefined || may[folder.seenWith];
}
