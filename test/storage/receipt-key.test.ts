import { expect, test } from 'vitest'
import { createSecrets } from '../../core/adapters/crypto.ts'
import { nodeSignatures } from '../../core/adapters/signatures.ts'
import { describeWithStorage } from '../support/databases.ts'

describeWithStorage('the key of receipts', (open, kind) => {
  test('is made once, whoever comes first, and stays', async () => {
    const storage = await open()
    const others = kind === 'postgres' ? [await open(), await open()] : [storage, storage]
    let made = 0
    const make = () => `key ${(made += 1)}`
    const found = await Promise.all([storage, ...others].map(({ receiptKey }) => receiptKey.getOrCreate(make)))
    expect(new Set(found).size).toBe(1)
    expect(await storage.receiptKey.getOrCreate(() => 'another')).toBe(found[0])
  })
})

test('signs with a key, and only its public half says so', () => {
  const [one, two] = [nodeSignatures.createSigningKey(), nodeSignatures.createSigningKey()]
  const signature = nodeSignatures.sign('text 中文', one)
  expect(nodeSignatures.signed('text 中文', signature, nodeSignatures.publicKeyOf(one))).toBe(true)
  expect(nodeSignatures.signed('text', signature, nodeSignatures.publicKeyOf(one))).toBe(false)
  expect(nodeSignatures.signed('text 中文', signature, nodeSignatures.publicKeyOf(two))).toBe(false)
  for (const broken of ['', 'no key', nodeSignatures.publicKeyOf(one).slice(4)]) {
    expect(nodeSignatures.signed('text 中文', signature, broken)).toBe(false)
  }
})

test('digests alike whatever the master secret: SHA-256 in hex', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(createSecrets('one').digest('abc')).toBe(abc)
  expect(createSecrets('two').digest('abc')).toBe(abc)
})
