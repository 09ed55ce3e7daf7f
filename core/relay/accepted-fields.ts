// Removes Anthropic fields and beta flags that a cloud's endpoint does not accept.
import { parseNameList } from '../channels/channel.ts'
import type { RoutedChannel } from '../channels/routed-channel.ts'
import { fitToEndpoint } from '../dialects/anthropic-messages/taken-words.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import type { WrittenRequest } from '../dialects/model-request.ts'
import type { UpstreamEndpoint } from '../providers/provider.ts'

type Headers = Record<string, string>

/** The header with Anthropic's beta flags. */
const BETAS = 'anthropic-beta'

/**
 * Returns the request without the fields that the endpoint does not accept, and the names of those. Fields that the
 * operator sets by `param_override` are sent in any case.
 * @param own the caller's headers that are forwarded
 */
export function dropUnacceptedFields(
  written: WrittenRequest,
  own: Headers | undefined,
  takes: NonNullable<UpstreamEndpoint['takes']>,
  model: string,
  head: RequestHead,
  { settings, override }: Pick<RoutedChannel, 'settings' | 'override'>,
): WrittenRequest & { headers: Headers | undefined } {
  const flags = own?.[BETAS]?.split(',').map((flag) => flag.trim()) ?? []
  const request = { body: written.body, betas: flags.filter((flag) => flag !== '') }
  const more = [...parseNameList(settings.also_takes ?? ''), ...Object.keys(override)]
  const { body, betas, dropped } = fitToEndpoint(request, takes, [model, head.model], more)
  const { [BETAS]: _, ...others } = own ?? {}
  return {
    body,
    headers: betas.length > 0 ? { ...others, [BETAS]: betas.join(',') } : others,
    dropped: [...written.dropped, ...dropped],
  }
}
