import type { OrderDetails } from '@/api/types';

/** The name under which an issued visa was uploaded; the stored name when it is not known. */
export function visaName(order: OrderDetails, file1: string): string {
  return order.uploadDoc.find((visa) => visa.file1 === file1)?.customer_name ?? file1;
}
