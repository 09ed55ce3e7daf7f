// Questions about tasks: pictures inside a request become the files of a form, named by their types.
import { expect, it } from 'vitest'
import { toRoutedChannel } from '../../../core/channels/channel-index.ts'
import { openaiVideosTasks, openaiVideoFormat } from '../../../core/dialects/tasks/openai-videos.ts'
import { queryTask, type TaskQueryPorts } from '../../../core/relay/tasks/task-query.ts'
import { createFakeClock } from '../../support/clock.ts'
import { createMemoryUpstream } from '../../support/memory-upstream.ts'
import { newChannel } from '../../storage/samples.ts'

/** Returns the files of the form in which a provider of OpenAI's videos receives this picture. */
async function sendPicture(url: string) {
  const upstream = createMemoryUpstream()
  upstream.reply({ parts: ['{"id":"video_1"}'] })
  const zeroes = { response_time: 0, balance: 0, used_quota: 0, balance_updated_time: 0, test_time: 0, version: 1 }
  const channel = toRoutedChannel({ ...newChannel({ base_url: 'http://p1.test' }), ...zeroes, id: 1, slug: '' })
  const ports = { upstream, clock: createFakeClock(), signer: {} } as unknown as TaskQueryPorts
  const film = { prompt: 'a ferry', pictures: [{ url, as: 'first' as const }] }
  const ask = { format: 'another', model: 'sora-2', action: 'GENERATE', prompt: 'a ferry', film, given: {} }
  const question = openaiVideosTasks.write(ask, { model: 'sora-2', settings: {} } as never)
  const target = { channel, endpoint: {}, format: openaiVideoFormat, patience_ms: 1000 }
  await queryTask(question, target, new AbortController().signal, ports)
  const [asked] = upstream.requests
  const pieces: Uint8Array[] = []
  for await (const piece of asked!.form!) pieces.push(piece)
  const headers = { 'content-type': asked!.headers['content-type']! }
  const form = await new Response(Buffer.concat(pieces), { headers }).formData()
  const files: object[] = []
  for (const [field, value] of form) {
    if (value instanceof File) files.push({ field, name: value.name, type: value.type, bytes: await value.text() })
  }
  return files
}

it.each([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
  ['picture', 'bin'],
])('a picture of the type %s is a file whose name ends in .%s', async (type, ending) => {
  const files = await sendPicture(`data:${type};base64,${btoa('pixels')}`)
  expect(files).toEqual([{ field: 'input_reference', name: `input_reference.${ending}`, type, bytes: 'pixels' }])
})
