// Refuses a request that refers to data stored only at its vendor, for other providers: a part of the conversation, the
// prompt or the tools would be missing, and the answer would be charged even so.
import { fail } from '../../errors.ts'
import type { ModelRequest } from '../model-request.ts'

/** @throws GatewayError request.kept_elsewhere if the format cannot express a reference of the request */
export function refuseVendorData({ vendorData = [] }: ModelRequest, format: string): void {
  const unsupported = vendorData.filter(({ formats: accepted }) => !accepted.includes(format))
  const [first] = unsupported
  if (!first) return
  const fields = new Set(unsupported.map(({ field }) => field))
  fail('request.kept_elsewhere', { field: [...fields].join(', '), what: first.what, param: first.field })
}
