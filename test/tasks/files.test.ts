// The file of a film is fetched with the channel's key from the channel's own host, and from no host that only the
// provider names.
import { expect, it } from 'vitest'
import { newTask } from '../storage/samples.ts'
import { describeWithGateway } from '../support/gateway.ts'

describeWithGateway('the file of a film', (weir) => {
  it.each([
    ['https://cdn.example/film.mp4', false, 302],
    // A key is for the host that it was given for.
    ['https://cdn.example/film.mp4', true, 404],
    // Nobody is sent, and nothing is asked, inside the operator's network.
    ['http://10.0.0.7/film.mp4', false, 404],
    ['http://169.254.169.254/latest/meta-data', false, 404],
  ] as const)('at %s (keyed: %s) is answered with %s', async (url, keyed, status) => {
    const channel = await weir.addChannel({ models: 'sora-2' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const task_id = `video_${ada.user.id}`
    await weir.gateway.ports.storage.tasks.add(
      newTask({
        ...{ task_id, upstream_id: 'u', platform: 'video', format: 'openai-videos', model: 'sora-2' },
        ...{ user_id: ada.user.id, channel_id: channel.id },
        files: JSON.stringify([{ kind: 'video', url, ...(keyed ? { keyed: true } : {}) }]),
      }),
    )
    const asked = weir.upstream.requests.length
    const headers = { authorization: `Bearer ${ada.key}` }
    const answer = await fetch(`${weir.url}/v1/videos/${task_id}/content`, { headers, redirect: 'manual' })
    expect(answer.status).toBe(status)
    if (status === 302) expect(answer.headers.get('location')).toBe(url)
    expect(weir.upstream.requests).toHaveLength(asked)
  })
})
