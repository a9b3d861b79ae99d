/** The labels of the actions in the access log. */
const WORDS: Readonly<Record<string, string>> = {
  'order.list': 'Orders listed',
  'order.search': 'Orders searched',
  'comment.list': 'Newest comments listed',
  'order.export': 'Orders downloaded',
  'order.find': 'Orders found',
  'order.view': 'Order opened',
  'order.duplicates': 'Similar orders listed',
  'home.view': 'Dashboard opened',
  'file.view': 'File opened',
  'mail.view': 'Email previewed',
  'mail.open': 'Email opened',
  'pack.view': 'Evidence opened',
  'pack.open': 'Defence Pack opened',
  'country_orders.view': 'Country Orders opened',
  'country_orders.export': 'Country Orders downloaded',
  'processed_by.view': 'Order Processed opened',
  'processed_by.export': 'Order Processed downloaded',
  'future_orders.export': 'Future Orders downloaded',
  'audit.view': 'Audit opened',
  'access_log.view': 'Access log opened',
  'access_log.export': 'Access log downloaded',
};

export const knownActions: readonly string[] = Object.keys(WORDS);

/** The label of an action; its name while it has none. */
export function actionLabel(action: string): string {
  return WORDS[action] ?? action;
}
