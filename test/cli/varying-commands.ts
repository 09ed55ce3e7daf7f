// Commands whose output is another on every machine or at every time, or moves what other commands show: the page of
// commands runs them when everything else was shown, and masks what varies.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Json } from '../support/json.ts'

/** What is not the same twice, in as many characters where a table is as wide as it. */
const MASKS: [RegExp, string | ((text: string) => string)][] = [
  [/\d+\.\d+ [KMG]B/g, '12.3 MB'],
  [/(?<="(ms|took)": )\d+/g, '12'],
  // Ids of requests and of receipts begin with the time.
  [/\b(\d{17}|mkfedmo0)\w{12}\b/g, (text) => 'x'.repeat(text.length)],
  [/(?<="database_bytes": )\d+/g, '12345678'],
  [/\b00\d\d-[a-z-]+\b/g, '0000-name-of-the-last-change'],
  [/^[A-Za-z0-9+/]{59}=$/gm, (text) => 'x'.repeat(text.length)],
  [new RegExp(`\\b${process.versions.node.replaceAll('.', '\\.')}\\b`, 'g'), '20.19.0'],
  [/RESULT +TOOK(?= )/g, 'RESULT   TOOK'],
  [/\bok +\d+ ms\b/g, 'ok      12 ms'],
]
export const masked = (text: string): string =>
  MASKS.reduce((left, [found, instead]) => left.replace(found, instead as string), text)

/** What each is given, in this order; `dataOf` runs a command for its JSON. */
export function varying(
  folder: string,
  dataOf: (words: string[]) => Promise<Json>,
): Record<string, () => Promise<string[]>> {
  const fileOf = (name: string, content: unknown): string => {
    const file = path.join(folder, name)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }
  const called = async () => String((await dataOf(['logs', 'ls', '--type', 'consumption']))[0].receipt_id)
  const ofModel = (input: number) => ({
    'sandbox-small': {
      ...{ input_cost_per_token: input, output_cost_per_token: 0.000008 },
      ...{ litellm_provider: 'openai', mode: 'chat' },
    },
  })
  let asked = 0
  return {
    status: async () => [],
    open: async () => [],
    doctor: async () => [],
    env: async () => ['--token', '1'],
    'tokens env': async () => ['1'],
    chat: async () => ['sandbox-small', 'Hello'],
    'receipt get': async () => [await called()],
    'receipt verify': async () => [fileOf('receipt.json', await dataOf(['receipt', 'get', await called()]))],
    'ledger check': async () => [fileOf('checkpoint.json', await dataOf(['ledger', 'checkpoint']))],
    'channels test': async () => ['1'],
    'channels balance': async () => ['1'],
    'prices set': async () => ['sandbox-small', '--input', '3', '--output', '12'],
    'prices undo': async () => {
      const [last] = await dataOf(['prices', 'history'])
      return [String(last.id), '--yes']
    },
    'prices sync': async () => ['--file', fileOf('litellm.json', ofModel(0.000002 + 0.000001 * asked++)), '--yes'],
    'prices rm': async () => {
      await dataOf(['prices', 'set', 'sandbox-small', '--input', '3', '--output', '12'])
      return ['sandbox-small', '--yes']
    },
    'settings explain': async () => ['RetryTimes'],
    call: async () => ['users.list'],
    docs: async () => [],
    'context ls': async () => [],
    'receipt key': async () => [],
  }
}
