// Reads a form that a provider received, with the reader that browsers have.
import type { ReceivedRequest } from './upstream.ts'

export const formIn = ({ headers, body }: ReceivedRequest): Promise<FormData> =>
  new Response(Buffer.from(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
