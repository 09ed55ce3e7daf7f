// Suno's API, as the Suno-API projects have it.
import type { PlayedVendor, Stage } from '../vendor.ts'

const WORDS: Record<Stage['is'], string> = {
  waiting: 'SUBMITTED',
  running: 'IN_PROGRESS',
  done: 'SUCCESS',
  failed: 'FAILURE',
}

export const playedSuno: PlayedVendor = {
  name: 'suno',
  id: (n) => `a1b2c3d4-0000-4000-8000-${String(n).padStart(12, '0')}`,
  submits: ({ path }) => path.startsWith('/suno/submit/'),
  refuse: (mood) =>
    mood === 'refuses'
      ? { status: 400, json: { code: 'invalid_request', message: 'prompt_empty', data: null } }
      : mood === 'overloaded'
        ? { status: 429, json: { code: 'too_many', message: 'too many requests', data: null } }
        : { status: 500, json: { code: 'do_request_failed', message: 'upstream failed', data: null } },
  answer(request, shelf) {
    const [, action] = /^\/suno\/submit\/(MUSIC|LYRICS)$/.exec(request.path) ?? []
    if (request.method === 'POST' && action) {
      const { id } = shelf.take(request)
      return { json: { code: 'success', message: '', data: id } }
    }
    if (request.method !== 'POST' || request.path !== '/suno/fetch') return undefined
    const ids = Array.isArray(request.json.ids) ? request.json.ids.map(String) : []
    const data = ids.flatMap((id) => {
      const stage = shelf.look(id)
      if (!stage) return []
      const clip = {
        id: `clip-${stage.id}`,
        title: 'Night ferry',
        audio_url: stage.is === 'done' ? `${shelf.url}/files/${stage.id}-${stage.edition}.mp3` : '',
        video_url: '',
        image_url: `${shelf.url}/files/${stage.id}.jpeg`,
        model_name: 'chirp-v3',
        status: stage.is === 'done' ? 'complete' : 'queued',
        metadata: { tags: 'ambient', prompt: '', duration: 120 },
      }
      return [
        {
          task_id: stage.id,
          action: 'MUSIC',
          status: WORDS[stage.is],
          fail_reason: stage.why ?? '',
          submit_time: 1_700_000_000,
          start_time: stage.is === 'waiting' ? 0 : 1_700_000_002,
          finish_time: stage.is === 'done' || stage.is === 'failed' ? 1_700_000_060 : 0,
          progress: `${stage.progress}%`,
          data: stage.is === 'waiting' ? [] : [clip],
        },
      ]
    })
    return { json: { code: 'success', message: '', data } }
  },
}
