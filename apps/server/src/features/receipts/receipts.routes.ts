import * as contract from "@leadline/contract/receipts";
import type { Database } from "../../db/database.ts";
import { type Route, route } from "../../http/route.ts";
import { getBillingDetails, updateBillingDetails } from "./billing-details.ts";
import { downloadReceipt } from "./download-receipt.ts";
import { exportReceipts } from "./export-receipts.ts";

export const receiptRoutes = ({ database }: { database: Database }): Route[] => [
  route(contract.getBillingDetails, ({ caller }) => getBillingDetails(database, caller)),
  route(contract.updateBillingDetails, ({ caller, body }) => updateBillingDetails(database, caller, body)),
  route(contract.exportReceipts, ({ caller }) => exportReceipts(database, caller)),
  route(contract.downloadReceipt, ({ caller, params }) => downloadReceipt(database, caller, params.id)),
];
