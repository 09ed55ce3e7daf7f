// Decrypts the models of a LiteLLM database (XSalsa20-Poly1305, by the SHA-256 of its salt key), with the key in the
// environment of this process.
import { createHash } from 'node:crypto'
import { parseJson } from '../../dialects/json/json-value.ts'
import { readTablePages, type ImportSource } from '../../imports/source.ts'
import { toConfigFields } from './config-file.ts'

const TABLE = 'LiteLLM_ProxyModelTable'
const CREDENTIALS = 'LiteLLM_CredentialsTable'
const NONCE = 24
const TAG = 16
/** The rules treat this value as an unset variable. */
const NOT_SET = 'os.environ/LITELLM_SALT_KEY'

type Open = (text: string) => string | null
type LiteLlmFields = Record<string, unknown>

/** Returns the same source with decrypted model parameters, which include those of a model's credential. */
export async function withDecryptedModels(source: ImportSource): Promise<ImportSource> {
  if (!source.tables.has(TABLE)) return source
  const open = await opener([process.env.LITELLM_SALT_KEY, process.env.LITELLM_MASTER_KEY])
  const credentials = await readCredentials(source, open)
  return {
    ...source,
    async rows(table, order, after, limit) {
      const rows = await source.rows(table, order, after, limit)
      if (table !== TABLE) return rows
      return rows.map((row) => ({
        ...row,
        litellm_params: withCredential(
          decryptParams(row.litellm_params ?? '', row.model_name ?? '', open),
          credentials,
        ),
      }))
    },
  }
}

async function readCredentials(source: ImportSource, open: Open): Promise<Map<string, LiteLlmFields>> {
  const credentials = new Map<string, LiteLlmFields>()
  for await (const page of readTablePages(source, CREDENTIALS, 'credential_name'))
    for (const { credential_name: name, credential_values: values } of page)
      credentials.set(name ?? '', toConfigFields(parseJson(decryptParams(values ?? '', name ?? '', open))))
  return credentials
}

/** Adds the values of the model's credential. The model's own values take precedence. */
function withCredential(params: string, credentials: ReadonlyMap<string, LiteLlmFields>): string {
  const { litellm_credential_name: name, ...own } = toConfigFields(parseJson(params))
  const found = typeof name === 'string' ? credentials.get(name) : undefined
  return found ? JSON.stringify({ ...found, ...own }) : params
}

async function opener(texts: readonly (string | undefined)[]): Promise<Open> {
  const { xsalsa20poly1305 } = await import('@noble/ciphers/salsa.js')
  const keys = texts.filter((text) => text).map((text) => createHash('sha256').update(String(text)).digest())
  return (text) => {
    const bytes = Buffer.from(text, 'base64url')
    for (const key of keys) {
      try {
        return Buffer.from(xsalsa20poly1305(key, bytes.subarray(0, NONCE)).decrypt(bytes.subarray(NONCE))).toString()
      } catch {
        // Encrypted with another key, or in plain text.
      }
    }
    return null
  }
}

/** Names of models contain other characters, or are shorter. */
const isLocked = (text: string) => /^[\w+/-]+={0,2}$/.test(text) && Buffer.from(text, 'base64url').length >= NONCE + TAG

/** Returns the parameters in plain text. If they cannot be decrypted, the model gets its name and no key. */
function decryptParams(params: string, name: string, open: Open): string {
  let fields: Record<string, unknown>
  try {
    fields = JSON.parse(params) as Record<string, unknown>
  } catch {
    return params
  }
  const { model } = fields
  if (typeof model === 'string' && isLocked(model) && open(model) === null)
    return JSON.stringify({ model: name, api_key: NOT_SET })
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(fields).map(([member, value]) => [
        member,
        typeof value === 'string' ? environment((isLocked(value) ? open(value) : null) ?? value) : value,
      ]),
    ),
  )
}

const environment = (text: string): string =>
  text.startsWith('os.environ/') ? (process.env[text.slice('os.environ/'.length)] ?? text) : text
