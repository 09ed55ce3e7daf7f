// CONFORMANCE.md lists the recordings that were played and compared. To write it, every recording is played to its own
// client.
import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { recordingsHere, recordingsTitle } from '../support/recordings.ts'
import { startUpstream } from '../support/upstream.ts'
import { createReferences } from './check.ts'
import { page, PAGE } from './page.ts'

it.skipIf(!recordingsHere)(
  recordingsTitle('the page says what was played and compared'),
  { timeout: 600_000 },
  async () => {
    // Anthropic's client reports which models are old.
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const upstream = await startUpstream()
    try {
      expect(readFileSync(PAGE, 'utf8'), 'run npx tsx test/conformance/page.ts').toBe(
        await page(createReferences(upstream)),
      )
    } finally {
      await upstream.close()
    }
  },
)
