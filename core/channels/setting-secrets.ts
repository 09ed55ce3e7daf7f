// Masks the secrets in a channel's setting: values of headers and the password of the proxy. Like the key, they can be
// written but not read.
import { maskSecretValue } from '../audit/audit.ts'
import { fail } from '../errors.ts'
import { parseJsonObjectText } from './channel.ts'

const MASK = '***'

/** A member of this name would be mistaken for the one that storage writes in place of an encrypted setting. */
const SEALED_MEMBERS = ['headers', 'proxy', 'sealed']

/** Does this setting contain a secret? */
export const hasSettingSecrets = (setting: string): boolean => {
  const object = parseJsonObjectText(setting)
  return SEALED_MEMBERS.some((name) => Object.hasOwn(object, name))
}

export function maskChannelSetting(setting: string): string {
  if (!hasSettingSecrets(setting)) return setting
  const { headers, proxy, ...rest } = parseJsonObjectText(setting)
  return JSON.stringify({
    ...(proxy === undefined ? {} : { proxy: maskedProxy(proxy) }),
    ...(headers === undefined ? {} : { headers: maskedHeaders(headers) }),
    ...rest,
  })
}

export const maskChannelSecrets = <C extends { setting: string }>(channel: C): C => ({
  ...channel,
  setting: maskChannelSetting(channel.setting),
})

/**
 * Returns the setting to store. Masks that a form sends back are replaced by the stored values of the same name.
 * @throws GatewayError channel.masked for a mask without a stored value
 */
export function restoreMaskedSetting(given: string, stored: string): string {
  const object = parseJsonObjectText(given)
  const before = parseJsonObjectText(stored)
  const known = getHeaders(before)
  const headers = getHeaders(object)
  const isMasked = (value: unknown) => value === MASK
  if (!Object.values(headers).some(isMasked) && !isMaskedProxy(object.proxy)) return given
  if (isMaskedProxy(object.proxy) && maskedProxy(before.proxy) !== object.proxy)
    fail('channel.masked', { name: 'proxy' }, { field: 'setting.proxy' })
  const sameWay = isMaskedProxy(object.proxy) || (object.proxy || '') === (before.proxy || '')
  const filled = Object.entries(headers).map(([name, value]) => {
    if (!isMasked(value)) return [name, value]
    const isKept = sameWay && Object.hasOwn(known, name)
    return [name, isKept ? known[name] : fail('channel.masked', { name }, { field: 'setting.headers' })]
  })
  return JSON.stringify({
    ...object,
    ...(isMaskedProxy(object.proxy) ? { proxy: before.proxy } : {}),
    ...(object.headers === undefined ? {} : { headers: Object.fromEntries(filled) }),
  })
}

/** Does the setting contain masks, which stand for stored secrets? */
export const hasMaskedValues = (setting: string): boolean => {
  const object = parseJsonObjectText(setting)
  return isMaskedProxy(object.proxy) || Object.values(getHeaders(object)).some((value) => value === MASK)
}

/** Returns the destination of a setting as one text to compare: the proxy, and the headers sorted by name. */
export function getOutboundKey(setting: string): string {
  const object = parseJsonObjectText(setting)
  return JSON.stringify([object.proxy || '', Object.entries(getHeaders(object)).sort()])
}

const getHeaders = ({ headers }: Record<string, unknown>): Record<string, unknown> =>
  typeof headers === 'object' && headers !== null ? (headers as Record<string, unknown>) : {}

const maskedHeaders = (headers: unknown) =>
  Object.fromEntries(
    Object.entries(getHeaders({ headers })).map(([name, value]) => [name, maskSecretValue(String(value))]),
  )

function maskedProxy(proxy: unknown): unknown {
  if (typeof proxy !== 'string' || !URL.canParse(proxy)) return proxy
  const address = new URL(proxy)
  if (address.password === '') return proxy
  address.password = MASK
  return address.href
}

const isMaskedProxy = (proxy: unknown): boolean =>
  typeof proxy === 'string' && URL.canParse(proxy) && new URL(proxy).password === MASK
