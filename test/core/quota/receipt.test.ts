// Receipts as a rule: one text for one receipt, and a signature that only fits that text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeSignatures } from '../../../core/adapters/signatures.ts'
import { findCharge, findChargeLog, type LedgerEntry } from '../../../core/quota/ledger-entry.ts'
import {
  formatCanonicalJson,
  readPublicKey,
  type SignedReceipt,
  signReceipt,
  toPem,
  verifyReceipt,
} from '../../../core/quota/receipts.ts'
import { sumChargeLines } from '../../../core/pricing/charge-lines.ts'
import { newLog } from '../../storage/samples.ts'

const privateKey = nodeSignatures.createSigningKey()
const publicKey = nodeSignatures.publicKeyOf(privateKey)

const entry: LedgerEntry = {
  ...{ id: 7, account_id: 1, token_id: 2, kind: 'charge', amount: -30, balance_after: 70, hold_id: 'h1' },
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
const lines = [{ what: 'input', count: 10, price: '3', quota: '30', tier: 'night' }]
const log = { ...newLog({ other: JSON.stringify({ lines, cache_tokens: 4, frt: 9 }) }), id: 1, channel_name: '' }
const signed = (parts: { log?: typeof log } = { log }): SignedReceipt =>
  signReceipt(nodeSignatures, privateKey, {
    entry,
    charge: findCharge(entry, parts.log),
    issuer: 'https://weir.example',
  })

describe('canonical JSON', () => {
  it('is the same whatever the order of the keys, and JSON of the same value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse())
        expect(formatCanonicalJson(turned)).toBe(formatCanonicalJson(value))
        expect(JSON.parse(formatCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('writes as RFC 8785 does', () => {
    const value = { b: [1e21, 0.1, -0], a: { '\u20ac': 'e\n', '1': null }, left: undefined }
    expect(formatCanonicalJson(value)).toBe('{"a":{"1":null,"€":"e\\n"},"b":[1e+21,0.1,0]}')
  })
})

describe('a receipt', () => {
  it('says what was charged, with what the log knows', () => {
    expect(signed().receipt).toMatchObject({
      ...{ version: 1, issuer: 'https://weir.example', receipt_id: 'h1', request_id: 'r1', user_id: 1, token_id: 2 },
      ...{ model: 'gpt-4o', amount: 30, balance_after: 70, entry_hash: 'abc', lines, time: 1_700_000_000 },
      usage: { prompt_tokens: 10, completion_tokens: 5, cache_tokens: 4 },
    })
    expect(signed({}).receipt).toMatchObject({ model: null, usage: null, lines: [], amount: 30 })
  })

  it('says what its entry says, whatever the log does', () => {
    const told = { model: 'm', operation: 'images', price_version: 'v', usage: { image_count: 2 }, lines }
    const charge = findCharge({ ...entry, detail: JSON.stringify(told) }, log)
    const { receipt } = signReceipt(nodeSignatures, privateKey, { entry, charge, issuer: 'Weir' })
    expect(receipt).toMatchObject({ model: 'm', usage: { image_count: 2 }, lines })
    expect(findCharge({ ...entry, detail: '{"model":1}' }, undefined)).toBeNull()
  })

  it('finds the log row of a charge by its hold, of earlier versions by its amount', () => {
    const rows = [
      { ...log, id: 1, hold_id: 'h0', model_name: 'one' },
      { ...log, id: 2, hold_id: 'h1', model_name: 'two' },
    ]
    expect(findChargeLog(rows, entry)).toMatchObject({ id: 2 })
    expect(findChargeLog(rows, { ...entry, hold_id: 'other' })).toBeUndefined()
    expect(
      findChargeLog(
        [
          { ...log, id: 3, quota: 29 },
          { ...log, id: 4 },
        ],
        entry,
      ),
    ).toMatchObject({ id: 4 })
  })

  it('is checked by anybody, also after it went through a file', () => {
    const read = JSON.parse(JSON.stringify(signed(), null, 4)) as unknown
    expect(verifyReceipt(nodeSignatures, read)).toMatchObject({ ok: true, receipt: { amount: 30 } })
    expect(verifyReceipt(nodeSignatures, read, publicKey).ok).toBe(true)
  })

  it('is refused once any field is changed, left out or added', () => {
    const whole = signed()
    for (const field of Object.keys(whole.receipt) as (keyof SignedReceipt['receipt'])[]) {
      const value = whole.receipt[field]
      const changed = typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value}x` : null
      expect(
        verifyReceipt(nodeSignatures, { ...whole, receipt: { ...whole.receipt, [field]: changed } }).ok,
        field,
      ).toBe(false)
      const { [field]: _left, ...rest } = whole.receipt
      expect(verifyReceipt(nodeSignatures, { ...whole, receipt: rest }).ok, field).toBe(false)
    }
    const dearer = { ...whole.receipt, lines: [{ ...lines[0], price: '4' }] }
    expect(verifyReceipt(nodeSignatures, { ...whole, receipt: dearer })).toMatchObject({ ok: false, reason: 'forged' })
    expect(verifyReceipt(nodeSignatures, { ...whole, receipt: { ...whole.receipt, more: 1 } }).ok).toBe(false)
  })

  it('is refused with another key than the one given, and with a signature of another key', () => {
    const other = nodeSignatures.createSigningKey()
    const otherKey = nodeSignatures.publicKeyOf(other)
    expect(verifyReceipt(nodeSignatures, signed(), otherKey)).toMatchObject({ ok: false, reason: 'other_key' })
    // Signed anew by a stranger: fits itself, but not the issuer.
    const forged = signReceipt(nodeSignatures, other, {
      entry: { ...entry, amount: -1 },
      charge: null,
      issuer: 'https://weir.example',
    })
    expect(verifyReceipt(nodeSignatures, forged, publicKey)).toMatchObject({ ok: false, reason: 'other_key' })
    expect(verifyReceipt(nodeSignatures, { ...forged, public_key: publicKey }, publicKey).ok).toBe(false)
    expect(verifyReceipt(nodeSignatures, { ...signed(), public_key: otherKey })).toMatchObject({ reason: 'forged' })
  })

  it('is unreadable where it is something else', () => {
    for (const other of [null, undefined, 'text', {}, { receipt: 1 }, { ...signed(), signature: 5 }]) {
      expect(verifyReceipt(nodeSignatures, other)).toMatchObject({ ok: false, reason: 'unreadable' })
    }
    expect(verifyReceipt(nodeSignatures, { ...signed(), public_key: 'no key' }).ok).toBe(false)
  })

  it('takes the public key as PEM, bare, or as the endpoint gives it', () => {
    const reply = { public_key: publicKey, key_id: 'k', pem: toPem(publicKey) }
    const written = [toPem(publicKey), `${publicKey}\n`, JSON.stringify(reply), JSON.stringify({ data: reply })]
    for (const text of written) expect(readPublicKey(text)).toBe(publicKey)
  })
})

it('the lines of a charge come to it but for the one rounding', () => {
  const of = (quota: string) => ({ what: 'input', count: 1, price: quota, quota })
  expect(sumChargeLines([of('0.1'), of('0.2')], 1)).toEqual({ exact: '0.3', rounding: '0.7' })
  expect(sumChargeLines([of('75.3')], 75)).toEqual({ exact: '75.3', rounding: '-0.3' })
  expect(sumChargeLines([], 0)).toEqual({ exact: '0', rounding: '0' })
})
