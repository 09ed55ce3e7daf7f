// The servers for the libraries: the strict vendors themselves, and a Weir with a channel to each of them.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setUp, startBuiltServer, addAccount } from '../support/built-server.ts'
import { startAnthropicVendor } from '../vendors/anthropic.ts'
import { startGeminiVendor } from '../vendors/gemini.ts'
import { startOpenaiVendor } from '../vendors/openai.ts'
import type { Vendor } from '../vendors/vendor.ts'
import { startFront, type Front } from './front.ts'
import type { Format } from './library.ts'
import { vendorScript } from './said.ts'

export const kinds = ['openai', 'anthropic', 'gemini'] as const
export type Kind = (typeof kinds)[number]

/** Whose format it is. */
export const homeOf: Record<Format, Kind> = {
  chat: 'openai',
  responses: 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
}

/** `home`: asked for in the vendor's own format; `abroad`: in the others', of a family that refuses more. */
export const channels: Record<Kind, { type: number; home: string; abroad: string; embedding?: string }> = {
  openai: { type: 1, home: 'gpt-4.1-mini', abroad: 'gpt-6.2-sol', embedding: 'text-embedding-3-small' },
  anthropic: { type: 14, home: 'claude-sonnet-4-5', abroad: 'claude-opus-5-5' },
  gemini: { type: 24, home: 'gemini-2.5-flash', abroad: 'gemini-3.8-flash', embedding: 'gemini-embedding-001' },
}

/** Where one library's cases are played. */
export interface Stand {
  /** The server that the library asks. */
  front: Front
  /** The vendor behind it. */
  vendor: Vendor
  key: string
  model: string
  embedding: string | undefined
}

export interface Stands {
  direct(format: Format): Stand
  through(format: Format, kind: Kind): Stand
  close(): Promise<void>
}

const VENDOR_KEY = 'sk-vendor-key-0123456789'

export async function openStands(): Promise<Stands> {
  const vendors: Record<Kind, Vendor> = {
    openai: await startOpenaiVendor(vendorScript),
    anthropic: await startAnthropicVendor(vendorScript),
    gemini: await startGeminiVendor(vendorScript),
  }
  const env = { WEIR_DATA: mkdtempSync(join(tmpdir(), 'weir-sdks-')) }
  const server = await startBuiltServer(env)
  const root = await setUp(env, server.url)
  for (const kind of kinds) {
    const { type, home, abroad, embedding } = channels[kind]
    const models = [home, abroad, ...(embedding ? [embedding] : [])].join(',')
    await root.client.channels.create({ name: kind, type, key: VENDOR_KEY, base_url: vendors[kind].url, models })
  }
  const caller = await addAccount(root, server.url, 'caller', 2_000_000_000)
  const token = await caller.visitor.client.tokens.create({ name: 'libraries', unlimited_quota: true })
  const weir = await startFront(server.url)
  const fronts = Object.fromEntries(
    await Promise.all(kinds.map(async (kind) => [kind, await startFront(vendors[kind].url)] as const)),
  ) as Record<Kind, Front>

  return {
    direct(format) {
      const kind = homeOf[format]
      const { home, embedding } = channels[kind]
      return { front: fronts[kind], vendor: vendors[kind], key: VENDOR_KEY, model: home, embedding }
    },
    through(format, kind) {
      const { home, abroad, embedding } = channels[kind]
      const model = homeOf[format] === kind ? home : abroad
      return { front: weir, vendor: vendors[kind], key: `sk-${token.key}`, model, embedding }
    },
    async close() {
      await Promise.all([weir, ...Object.values(fronts)].map((front) => front.close()))
      server.child.kill('SIGTERM')
      await server.ended
      await Promise.all(Object.values(vendors).map((vendor) => vendor.close()))
    },
  }
}
