// The chain of entries as a rule: what it notices, and that it notices nothing else.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeSignatures } from '../../../core/adapters/signatures.ts'
import { CHAIN_START, type HashedEntry, hashEntry, walkChain } from '../../../core/quota/chain.ts'
import { buildStatement, type LedgerEntry } from '../../../core/quota/ledger-entry.ts'

const { digest } = nodeSignatures

const entry: HashedEntry = {
  ...{ account_id: 1, token_id: 2, kind: 'charge', amount: -30, balance_after: 70, hold_id: 'h1' },
  ...{ reference: null, request_id: 'r1', by_user_id: null, created_at: 1_700_000_000, detail: null, cost: null },
}

/** A whole chain of these amounts, as the ledger writes it. */
function chainOf(amounts: number[]): LedgerEntry[] {
  let previous = CHAIN_START
  let balance = 0
  return amounts.map((amount, index) => {
    balance += amount
    const made = { ...entry, amount, balance_after: balance, hold_id: `h${index}`, request_id: `r${index}` }
    previous = hashEntry(digest, previous, made)
    return { ...made, id: index + 1, hash: previous }
  })
}

const faultsOf = (entries: LedgerEntry[], end: string) => {
  const walk = walkChain(() => digest, 1)
  return [...entries.flatMap((each) => walk.next(each)), ...walk.end(end)]
}

describe('the hash of an entry', () => {
  it('is the SHA-256 of a fixed form, for good', () => {
    // Entries that were written by these forms are kept for good, so they must never change.
    const first = digest('[1,"",1,2,"charge",-30,70,"h1",null,"r1",null,1700000000]')
    expect(hashEntry(digest, '', entry, 1)).toBe(first)
    expect(first).toBe('783b770bfe17775d94f8e6555003d6928802cc2df9511c5cf873f89f88883b1d')
    const present = digest('[2,"",1,2,"charge",-30,70,"h1",null,"r1",7,1700000000,"{\\"model\\":\\"m\\"}",12]')
    expect(hashEntry(digest, '', { ...entry, by_user_id: 7, detail: '{"model":"m"}', cost: 12 })).toBe(present)
  })

  it('depends on every field and on the entry before', () => {
    const changes: Partial<HashedEntry>[] = [
      { account_id: 2 },
      { token_id: null },
      { kind: 'refund' },
      { amount: -31 },
      { balance_after: 71 },
      { hold_id: null },
      { reference: 'order 1' },
      { request_id: 'r2' },
      { by_user_id: 1 },
      { created_at: 1_700_000_001 },
      { detail: '{}' },
      { cost: 0 },
    ]
    const hashes = [
      hashEntry(digest, '', entry),
      hashEntry(digest, 'before', entry),
      ...changes.map((change) => hashEntry(digest, '', { ...entry, ...change })),
    ]
    expect(new Set(hashes).size).toBe(changes.length + 2)
  })

  it('counts texts as databases keep them', () => {
    const hash = (reference: string) => hashEntry(digest, '', { ...entry, reference })
    expect(hash('a\0b\uD800')).toBe(hash('a\uFFFDb\uFFFD'))
    expect(hash('😀')).not.toBe(hash('\uFFFD'))
  })
})

describe('entries of the form before accounts', () => {
  const first: LedgerEntry = { ...entry, balance_after: -30, id: 1, hash: hashEntry(digest, '', entry, 1) }
  const formed = (form: 1 | 2, previous: string, made: LedgerEntry) => {
    const balance_after = made.id * -30
    return { ...made, balance_after, hash: hashEntry(digest, previous, { ...made, balance_after }, form) }
  }
  const one = formed(1, '', first)

  it('are followed, and those of the present form behind them', () => {
    const two = formed(2, one.hash, { ...first, id: 2 })
    expect(faultsOf([one, two], two.hash)).toEqual([])
  })

  it('cannot come behind one of the present form, nor say what was charged', () => {
    const two = formed(2, one.hash, { ...first, id: 2 })
    const three = formed(1, two.hash, { ...first, id: 3 })
    expect(faultsOf([one, two, three], three.hash)).toMatchObject([{ kind: 'chain', entry_id: 3 }])
    expect(faultsOf([{ ...one, detail: '{}' }], one.hash)).toMatchObject([{ kind: 'chain', entry_id: 1 }])
    expect(faultsOf([{ ...one, cost: 1 }], one.hash)).toMatchObject([{ kind: 'chain', entry_id: 1 }])
  })
})

describe('following a chain', () => {
  const amounts = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 30 })

  it('finds nothing where nothing was done', () => {
    fc.assert(
      fc.property(amounts, (given) => {
        const chain = chainOf(given)
        expect(faultsOf(chain, chain.at(-1)?.hash ?? '')).toEqual([])
      }),
    )
    expect(faultsOf([], CHAIN_START)).toEqual([])
  })

  it('finds any edit, deletion, insertion and swap', () => {
    const tampering = fc.record({
      how: fc.constantFrom('edit', 'edit and hash anew', 'delete', 'insert', 'swap'),
      at: fc.nat(),
      to: fc.nat(),
      amount: fc.integer({ min: 1001, max: 2000 }),
    })
    fc.assert(
      fc.property(amounts, tampering, (given, { how, at, to, amount }) => {
        const chain = chainOf(given)
        const end = chain.at(-1)?.hash ?? ''
        const index = at % chain.length
        const found = chain[index] as LedgerEntry
        if (how === 'edit') chain[index] = { ...found, amount }
        if (how === 'edit and hash anew') {
          const previous = chain[index - 1]?.hash ?? CHAIN_START
          chain[index] = { ...found, amount, hash: hashEntry(digest, previous, { ...found, amount }) }
        }
        if (how === 'delete') chain.splice(index, 1)
        if (how === 'insert') {
          const previous = chain[index - 1]?.hash ?? CHAIN_START
          const made = { ...found, amount, hold_id: 'new' }
          chain.splice(index, 0, { ...made, hash: hashEntry(digest, previous, made) })
        }
        if (how === 'swap') {
          const other = (index + 1 + (to % (chain.length - 1))) % chain.length
          ;[chain[index], chain[other]] = [chain[other] as LedgerEntry, found]
        }
        expect(faultsOf(chain, end).length).toBeGreaterThan(0)
      }),
      { numRuns: 400 },
    )
  })

  it('tells one edit once, and where it is', () => {
    const chain = chainOf([10, 20, 30, 40])
    chain[1] = { ...(chain[1] as LedgerEntry), by_user_id: 7 }
    expect(faultsOf(chain, chain[3]?.hash ?? '')).toMatchObject([{ kind: 'chain', account_id: 1, entry_id: 2 }])
  })

  it('notices that the end is missing', () => {
    const chain = chainOf([10, 20, 30])
    expect(faultsOf(chain.slice(0, 2), chain[2]?.hash ?? '')).toMatchObject([
      { kind: 'chain_end', entry_id: null, expected: chain[1]?.hash, found: chain[2]?.hash },
    ])
  })
})

describe('a statement', () => {
  it('adds up, whatever came and went', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.array(fc.integer({ min: -1e9, max: 1e9 })),
        (opening, all) => {
          let balance = opening
          const entries = all.map((amount) => ({ amount, balance_after: (balance += amount) }))
          const statement = buildStatement(opening, entries)
          expect(statement.closing_balance).toBe(balance)
          expect(opening + statement.credited - statement.debited).toBe(balance)
          expect(statement.lines.every(({ agrees }) => agrees)).toBe(true)
        },
      ),
    )
  })

  it('marks a movement that recorded another balance', () => {
    const { lines } = buildStatement(100, [
      { amount: -30, balance_after: 70 },
      { amount: 5, balance_after: 80 },
    ])
    expect(lines.map(({ balance, agrees }) => [balance, agrees])).toEqual([
      [70, true],
      [75, false],
    ])
  })
})
