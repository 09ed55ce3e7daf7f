// Reads the key files of a data folder, and checks that the installation still works, for the tests of `weir secret
// rotate`.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { RotationStep } from '../../core/adapters/maintenance.ts'
import type { Environment } from '../support/built-server.ts'
import { answerOf } from '../support/installation.ts'

export const listKeyFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('weir.key'))

export const readKey = async (folder: string): Promise<string> =>
  (await readFile(join(folder, 'weir.key'), 'utf8')).trim()

/** The owner's API key goes on working, and the channel's key is still readable. */
export async function expectToWork(env: Environment, apiKey: string): Promise<void> {
  expect(await answerOf(env, apiKey)).toEqual({ status: 200, text: expect.stringContaining('[sandbox]') })
}

/** Where a rotation may end: the key files that are left there, and whether the new secret is the one that fits. */
export const ENDS: readonly { step: RotationStep; files: readonly string[]; changed: boolean }[] = [
  { step: 'rewritten', files: ['weir.key'], changed: false },
  { step: 'proposed', files: ['weir.key', 'weir.key.new'], changed: false },
  { step: 'committed', files: ['weir.key', 'weir.key.new'], changed: true },
  { step: 'settled', files: ['weir.key'], changed: true },
]
