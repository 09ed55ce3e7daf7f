// The books in the terminal: proof, statement, bill, and receipts that are checked without any server.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildBillLines } from '../../cli/output/bill.ts'
import { formatExactQuota } from '../../cli/output/format.ts'
import { nodeSignatures } from '../../core/adapters/signatures.ts'
import type { ChargeExplanation } from '../../core/logs/explanation.ts'
import { findCharge, type LedgerEntry } from '../../core/quota/ledger-entry.ts'
import { signReceipt, toPem } from '../../core/quota/receipts.ts'
import { PRICE_COMPONENTS } from '../../core/pricing/components.ts'
import { newLog } from '../storage/samples.ts'
import { fakeServer, runHere as run, type SeenRequest } from '../support/terminal.ts'

const money = { quota_per_unit: 500_000, display_in_currency: true }

const entry: LedgerEntry = {
  ...{ id: 7, account_id: 2, token_id: 3, kind: 'charge', amount: -75, balance_after: 999_925, hold_id: 'h1' },
  ...{
    reference: null,
    request_id: 'r1',
    by_user_id: null,
    created_at: 1_700_000_000,
    hash: 'abc',
    detail: null,
    cost: null,
  },
}
const lines = [
  { what: 'input', count: 1000, price: '0.0753', quota: '75.3' },
  { what: 'tool', label: 'web_search', count: 2, price: '0', multiplier: '1.5', tier: 'night', quota: '0' },
]
const log = { ...newLog({ other: JSON.stringify({ lines }), quota: 75 }), id: 1, channel_name: '' }

/** Runs a command against a server that knows these replies by path. */
async function against(replies: Record<string, unknown>, args: string[]) {
  const path = ({ url }: SeenRequest) => url.split('?')[0] ?? ''
  const server = await fakeServer((request) => {
    const data = replies[path(request)]
    return data === undefined
      ? { body: { success: false, message: 'no', code: 'access.forbidden' } }
      : { body: { success: true, message: '', data } }
  })
  const ended = await run([...args, '--server', server.url])
  await server.close()
  return { ...ended, seen: server.seen.map(({ url }) => url) }
}

const status = { ...money, system_name: 'Weir' }

describe('weir ledger verify', () => {
  const proof = {
    ok: true,
    open_holds: 1,
    accounts: 2,
    entries: 1200,
    faults: [] as object[],
    below_zero: [] as object[],
    chain: [{ after_entry: 0, fingerprint: 'c0ffee' }],
  }

  it('says that the books hold', async () => {
    const { code, stdout } = await against({ '/api/quota/verify': proof }, ['ledger', 'verify'])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/2 accounts, 1,200 entries, 1 open hold\..* whole \(key c0ffee\)\./),
    ])
  })

  it('says the same of a server that lists no accounts below zero', async () => {
    const { below_zero: _, ...former } = proof
    const { code, stdout } = await against({ '/api/quota/verify': former }, ['ledger', 'verify'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/2 accounts, 1,200 entries, 1 open hold\./)])
  })

  it('lists faults and ends with 1', async () => {
    const none = { token_id: null, hold_id: null, entry_id: null, account_id: 2 }
    const faults = [
      { ...none, kind: 'chain', entry_id: 9, expected: 'a'.repeat(64), found: 'b'.repeat(64) },
      { ...none, kind: 'balance', expected: 10, found: 12 },
      { ...none, kind: 'orphaned_hold', hold_id: 'h1', expected: 0, found: 5 },
    ]
    const reply = { '/api/quota/verify': { ...proof, ok: false, faults }, '/api/status': status }
    const { code, stdout, stderr } = await against(reply, ['ledger', 'verify'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/chain +2 +entry 9 +a{12} +b{12}\n/)
    expect(stdout).toMatch(/balance +2 +account +10 +12\n/)
    expect(stdout).toMatch(/orphaned hold +2 +hold h1 +0 +5\n/)
    expect(stderr).toContain('3 faults')
    const json = await against(reply, ['ledger', 'verify', '--json'])
    expect([json.code, JSON.parse(json.stdout)]).toEqual([1, { ...proof, ok: false, faults }])
  })

  it('asks for one account by its name', async () => {
    const { seen } = await against(
      { '/api/quota/verify': proof, '/api/user/search': { items: [{ id: 5, username: 'Ada' }], total: 1 } },
      ['ledger', 'verify', '--user', 'ada'],
    )
    expect(seen.at(-1)).toBe('/api/quota/verify?account_id=5')
  })
})

describe('weir ledger show', () => {
  const shown = (fields: Partial<LedgerEntry>) => ({ ...entry, model_name: '', by_username: '', reason: '', ...fields })
  const page = {
    ...{ account_id: 2, account_kind: 'user', account_name: 'ada', page: 1, page_size: 100, total: 2 },
    ...{ opening_balance: 0, closing_balance: 999_925 },
    items: [
      { ...shown({}), model_name: 'gpt-4o' },
      { ...shown({ id: 6, kind: 'topup', amount: 1_000_000, balance_after: 1_000_000 }), by_username: 'root' },
    ].map((item) => (item.id === 6 ? { ...item, request_id: null, reference: 'order 1', by_user_id: 1 } : item)),
  }

  it('reads like a bank statement: oldest first, running balance, sums', async () => {
    const { code, stdout } = await against({ '/api/quota/entries': page, '/api/status': status }, [
      'ledger',
      'show',
      '2',
    ])
    expect(code).toBe(0)
    const text = stdout.replace(/ +/g, ' ')
    expect(text).toContain('ada (user 2)\nOpening balance $0.000000\n')
    expect(text).toMatch(/6 [\d: -]+ topup order 1 by root \+\$2\.000000 \$2\.000000\n/)
    expect(text).toMatch(/7 [\d: -]+ charge gpt-4o r1 -\$0\.000150 \$1\.999850\n/)
    expect(text).toContain('Credited $2.000000, debited $0.000150\nClosing balance $1.999850\n')
  })

  it("shows one's own account without a name, and everything as JSON", async () => {
    const { stdout, seen } = await against({ '/api/quota/entries/self': page, '/api/status': status }, [
      'ledger',
      'show',
      '--from',
      '1700000000',
      '--json',
    ])
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ account_id: 2, opening_balance: 0, credited: 1_000_000, debited: 75, closing_balance: 999_925 },
      ...{ credited_usd: 2, closing_balance_usd: 1.99985, from: '2023-11-14T22:13:20.000Z', to: null },
      entries: [
        { id: 6, kind: 'topup', amount_usd: 2, balance: 1_000_000, agrees: true, by: 'root', reference: 'order 1' },
        { id: 7, balance: 999_925, agrees: true, model: 'gpt-4o', time: '2023-11-14T22:13:20.000Z' },
      ],
    })
    expect(seen[0]).toContain('start_timestamp=1700000000')
  })

  it('is read in Chinese too, and as CSV', async () => {
    const replies = { '/api/quota/entries': page, '/api/status': status }
    const zh = (await against(replies, ['ledger', 'show', '2', '--language', 'zh'])).stdout.replace(/ +/g, ' ')
    expect(zh).toMatch(
      /ada（用户 2）\n期初余额 [^]*充值 order 1 由 root [^]*扣费 gpt-4o r1 [^]*期末余额 \$1\.999850\n$/,
    )
    const csv = (await against(replies, ['ledger', 'show', '2', '--csv'])).stdout
    expect(csv).toMatch(/^id,time,kind,what,amount,amount_usd,balance,/)
    expect(csv.trim().split('\n')).toHaveLength(3)
  })

  it('says where an entry recorded another balance', async () => {
    const [latest, first] = page.items
    const wrong = { ...page, items: [{ ...latest, balance_after: 5 }, first] }
    const { stderr } = await against({ '/api/quota/entries': wrong, '/api/status': status }, ['ledger', 'show', '2'])
    expect(stderr).toContain('Entry 7 records the balance $0.000010')
  })

  it('refuses a user that is not there', async () => {
    const { code, stderr } = await against({ '/api/user/search': { items: [], total: 0 } }, [
      'ledger',
      'show',
      'nobody',
    ])
    expect([code, stderr]).toEqual([1, expect.stringContaining('No user is called "nobody"')])
  })
})

describe('weir logs explain', () => {
  const bill: ChargeExplanation = {
    ...{ request_id: 'r1', log, lines, exact: '75.3', rounding: '-0.3', group_ratio: 0.5, quota: 75 },
    ...{
      attempts: [],
      channels: [
        { id: 1, name: 'main' },
        { id: 2, name: '' },
      ],
      entry,
      followed: [],
      balance_before: 1_000_000,
    },
    ...{ asked_model: 'gpt-dear', price_version: 'v7', affinity: true, cache_tokens: 1024 },
    balance_after: 999_925,
  }

  it.each([
    ...Object.entries(PRICE_COMPONENTS).map(([what, { label }]) => [what, label.en.toLowerCase()]),
    ['smell', 'smell'],
  ])('has a word for %s', (what, word) => {
    const one = { ...bill, lines: [{ what: what!, count: 3, price: '1', quota: '3' }] }
    expect(buildBillLines(one, money, { language: 'en' }).join('\n').replace(/ +/g, ' ')).toContain(
      `\n${word} 3 × 1 = 3\n`,
    )
  })

  it('prints a bill that can be checked by hand', () => {
    const text = buildBillLines(bill, money, { language: 'en' }).join('\n').replace(/ +/g, ' ')
    expect(text).toContain('User alice, token laptop, group default (ratio 0.5)\nChannel 1 main, then 2\n')
    expect(text).toMatch(/, in place of gpt-dear\n/)
    expect(text).toContain('Sent to the channel that has the prompt cached: 1,024 of its tokens\nPrice version v7\n')
    expect(text).toMatch(/input 1,000 × 0\.0753 = 75\.3\n/)
    expect(text).toMatch(/tool \(web_search, night\) 2 × 0 × 1\.5 = 0\n/)
    expect(text).toMatch(/total 75\.3\nrounding -0\.3\ncharged 75\n/)
    expect(text).toContain('Charged $0.000150 (75 quota units)\nBalance $2.000000 before, $1.999850 after\n')
  })

  it('prints what is known where the log is gone, and where nothing was charged', () => {
    const bare = { ...bill, log: null, lines: [], exact: '0', rounding: '0', group_ratio: null, channels: [] }
    expect(buildBillLines(bare, money, { language: 'en' }).join('\n')).toContain('No log row has more details')
    expect(buildBillLines({ ...bill, entry: null, quota: 0 }, money, { language: 'en' }).at(-1)).toBe(
      'Nothing was charged.',
    )
    expect(buildBillLines({ ...bill, entry: null }, money, { language: 'en' }).at(-1)).toMatch(
      /^Charged .* according to the log; the ledger has no entry for it\.$/,
    )
  })

  it('asks for its own call where it may not ask for any', async () => {
    const own = { '/api/log/self/explain/r1': bill, '/api/status': status }
    const { code, stdout, seen } = await against(own, ['logs', 'explain', 'r1', '--json'])
    const { request_id, quota, exact, lines } = bill
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { request_id, quota, exact, lines, attempts: [] }])
    expect(seen.slice(0, 2)).toEqual(['/api/log/explain/r1', '/api/log/self/explain/r1'])
  })
})

describe('weir receipt verify, without any server', () => {
  const privateKey = nodeSignatures.createSigningKey()
  const signed = signReceipt(nodeSignatures, privateKey, {
    entry,
    charge: findCharge(entry, log),
    issuer: 'https://weir.example',
  })
  let folder: string
  const file = (name: string) => join(folder, name)
  const env = () => ({ WEIR_DATA: file('nowhere') })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-receipts-'))
    await writeFile(file('key.pem'), toPem(nodeSignatures.publicKeyOf(privateKey)))
    await writeFile(file('other.pem'), toPem(nodeSignatures.publicKeyOf(nodeSignatures.createSigningKey())))
    await writeFile(file('receipt.json'), JSON.stringify(signed, null, 2))
    await writeFile(file('reply.json'), JSON.stringify({ success: true, message: '', data: signed }))
    await writeFile(file('changed.json'), JSON.stringify(signed).replace('"amount":75', '"amount":74'))
    await writeFile(file('other.json'), 'not JSON')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each([
    ['receipt.json', 'key.pem', 0, 'Genuine: signed by https://weir.example'],
    ['reply.json', 'key.pem', 0, 'Charged 75 quota units, balance after 999,925'],
    ['receipt.json', undefined, 0, 'Unchanged since it was signed'],
    ['receipt.json', 'other.pem', 1, 'signed with another key'],
    ['changed.json', 'key.pem', 1, 'changed after it was signed'],
    ['changed.json', undefined, 1, 'changed after it was signed'],
    ['other.json', undefined, 1, 'not a receipt'],
  ])('%s with %s', async (receipt, key, code, said) => {
    const args = ['receipt', 'verify', file(receipt), ...(key ? ['--key', file(key)] : [])]
    const ended = await run(args, { env: env() })
    expect([ended.code, ended.stderr]).toEqual([code, ''])
    expect(ended.stdout).toContain(said)
    const json = await run([...args, '--json'], { env: env() })
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([code, { ok: code === 0 }])
  })

  it('reads standard input, and names a file that cannot be read', async () => {
    const { code } = await run(['receipt', 'verify', '-', '--quiet'], { env: env(), input: JSON.stringify(signed) })
    expect(code).toBe(0)
    const missing = await run(['receipt', 'verify', file('none.json')], { env: env() })
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('none.json cannot be read (ENOENT)')])
  })

  it('prints receipt and key as files that can be kept', async () => {
    const key = { key_id: 'k', public_key: 'p', pem: 'PEM\n' }
    const got = await against({ '/api/receipts/h1': signed, '/api/receipts/key': key }, ['receipt', 'get', 'h1'])
    expect(JSON.parse(got.stdout)).toEqual(signed)
    expect((await against({ '/api/receipts/key': key }, ['receipt', 'key'])).stdout).toBe('PEM\n')
  })
})

it('writes quota to the last unit', () => {
  expect([0, 1, -1, 1_000_000_000].map((quota) => formatExactQuota(quota, money))).toEqual([
    ...['$0.000000', '$0.000002', '-$0.000002', '$2,000.000000'],
  ])
  expect(formatExactQuota(-1234, { ...money, display_in_currency: false })).toBe('-1,234')
})
