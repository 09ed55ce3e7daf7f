// Whose account pays at a provider: the proof that goes with a request.
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { Signer } from '../ports/signer.ts'
import type { UpstreamRequest } from '../ports/upstream.ts'
import type { Authorize, UpstreamEndpoint, Provider } from '../providers/provider.ts'

/**
 * The request with the proof of who pays for it, added to its own headers; a promise only where something must be
 * signed or asked for.
 */
export function authorizeRequest(
  request: UpstreamRequest,
  channel: RoutedChannel,
  provider: Provider,
  door: UpstreamEndpoint,
  signer: Signer,
): UpstreamRequest | Promise<UpstreamRequest> {
  const proof = (door.authorize ?? provider.authorize)(channel, request, { signer })
  if (door.query) return withQuery(request, door.query(channel, request, { signer }), proof)
  return proof instanceof Promise ? proof.then((headers) => proven(request, headers)) : proven(request, proof)
}

type Proof = ReturnType<Authorize>

/** What the request says itself wins. */
function proven(request: UpstreamRequest, proof: Record<string, string>): UpstreamRequest {
  const { headers } = request
  for (const name in proof) headers[name] ??= proof[name] ?? ''
  return request
}

async function withQuery(request: UpstreamRequest, query: Proof, proof: Proof): Promise<UpstreamRequest> {
  const address = new URL(request.url)
  for (const [name, value] of Object.entries(await query)) address.searchParams.set(name, value)
  return { ...proven(request, await proof), url: address.href }
}
