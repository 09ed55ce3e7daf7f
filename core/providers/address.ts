// Builds the URL of a channel's endpoint: the provider's path after the configured address.
import type { ChannelForProvider } from './channel-for-provider.ts'
import { cleanBaseUrl } from '../contract/url.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import { memoize } from '../memoize.ts'
import { CALL_OPERATIONS } from '../models/operation.ts'
import type { Settings } from '../settings/index.ts'
import type { UpstreamEndpoint, Provider } from './provider.ts'

/** The endpoint that operators often paste as a whole, for any provider. */
const CHAT = '/v1/chat/completions'

/** Returns the URL of a channel's endpoint. */
export function buildEndpointUrl(
  provider: Provider,
  endpoint: UpstreamEndpoint,
  channel: ChannelForProvider,
  model: string,
  head: RequestHead,
  settings: Settings,
): string {
  const { path } = endpoint
  if (typeof path === 'function') return path({ base: getBaseUrl(provider, channel), model, head, settings, channel })
  const known = getUrls(channel)
  let url = known.get(path)
  if (url === undefined) known.set(path, (url = joinProviderPath(provider, channel, path)))
  return url
}

/** The URLs of a channel's endpoints by path. */
const getUrls = memoize((_channel: ChannelForProvider) => new Map<string, string>())

/** The channel's own base URL, or the provider's. */
export const getBaseUrl = (
  provider: Pick<Provider, 'base_url'>,
  { base_url }: Pick<ChannelForProvider, 'base_url'>,
): string => cleanBaseUrl(base_url || provider.base_url)

/** A version at the end of an address, as vendors document them; Google's compatible endpoint has a word behind it. */
const VERSIONED = /\/v\d\w*(?:\/openai)?$/
/** A path behind its version. */
const BEHIND_VERSION = /^(?:\/[^/]+)*?\/v\d\w*(?=\/)/

/**
 * Appends a path of the provider to the base URL. Operators paste addresses with and without the version, with the
 * prefix of one format, or of a whole endpoint: a known prefix of a path is removed, and a version that differs from
 * the path's replaces it.
 */
export function joinProviderPath(provider: Provider, channel: ChannelForProvider, path: string): string {
  const heads = getPrefixes(provider)
  let root = getBaseUrl(provider, channel)
  for (let head = heads.find((one) => root.endsWith(one)); head; head = heads.find((one) => root.endsWith(one))) {
    root = root.slice(0, -head.length)
  }
  // Only a repeated version is removed, because a path such as `/chat/chat` may be intended.
  return root + (VERSIONED.test(root) ? path.replace(BEHIND_VERSION, '') : path)
}

const getPrefixes = memoize(listPrefixes)

/**
 * Returns the prefixes that an address may end with, longest first: whole paths, and prefixes with a version or a
 * format.
 */
function listPrefixes(provider: Provider): readonly string[] {
  const paths = CALL_OPERATIONS.flatMap((operation) => provider[operation] ?? []).map(({ path }) => path)
  const all = [CHAT, provider.models_path, ...paths]
    .filter((path) => typeof path === 'string')
    .flatMap((path) => {
      const segments = path.split('/')
      const shorter = segments.map((_, count) => segments.slice(0, count).join('/'))
      return [...shorter.filter((head) => /\/v\d|\/anthropic$/.test(head)), ...(/\/v\d/.test(path) ? [path] : [])]
    })
  return [...new Set(all)].sort((one, other) => other.length - one.length)
}
