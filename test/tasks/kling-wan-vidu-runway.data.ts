// The requests to Kling, Wan, Vidu and Runway in OpenAI's format and in their own, the resulting requests to the
// vendors, and the costs.
import type { PlayedVendor } from './vendor.ts'
import { playedDashscope } from './vendors/dashscope.ts'
import { KLING_KEY, playedKling } from './vendors/kling.ts'
import { playedRunway } from './vendors/runway.ts'
import { playedVidu } from './vendors/vidu.ts'

const FIRST = 'https://pictures.test/first.png'
const LAST = 'https://pictures.test/last.png'
const WAN = '/api/v1/services/aigc/video-generation/video-synthesis'
const wide = '1280x720'

export interface FilmVendor {
  name: string
  vendor: PlayedVendor
  type: number
  key: string
  models: string
  /** Asked at `/v1/videos`: where the vendor is asked then, with what, and the price in dollars. */
  films: readonly [what: string, asked: object, path: string, sent: object, dollars: number][]
  /** What no channel of it can make: refused with what it can. */
  refused: readonly [what: string, asked: object, words: RegExp][]
  /** In its own shape. */
  own: {
    submit: string
    body: object
    dollars: number
    /** Where its id is in the answer to the submission. */
    id: readonly string[]
    read(id: string): string
    /** How it is told of while it is made, when it is done, and when it failed. */
    tells: readonly [running: object, done: object, failed: object]
  }
}

export const filmVendors: readonly FilmVendor[] = [
  {
    ...{ name: 'Kling', vendor: playedKling, type: 50, key: KLING_KEY },
    models: 'kling-v3,kling-v3-omni,kling-v2-6',
    films: [
      [
        'a film of words',
        { model: 'kling-v3', prompt: 'a cat', seconds: '5', size: wide },
        '/v1/videos/text2video',
        { model_name: 'kling-v3', prompt: 'a cat', mode: 'std', duration: '5', aspect_ratio: '16:9' },
        0.42,
      ],
      [
        'what is not said as its model makes it',
        { model: 'kling-v2-6', prompt: 'a cat' },
        '/v1/videos/text2video',
        { model_name: 'kling-v2-6', mode: 'std', duration: '5', aspect_ratio: '16:9' },
        0.21,
      ],
      [
        'two pictures, with sound, in 1080p',
        { model: 'kling-v3', prompt: 'x', seconds: 3, resolution: '1080p', sound: true, input_reference: FIRST, last_frame: LAST },
        '/v1/videos/image2video',
        { image: FIRST, image_tail: LAST, sound: 'on', mode: 'pro', duration: '3' },
        0.504,
      ],
      [
        'a picture of bytes, which its vendor wants bare',
        { model: 'kling-v2-6', prompt: 'x', seconds: 10, input_reference: 'data:image/png;base64,AAAA' },
        '/v1/videos/image2video',
        { image: 'AAAA', duration: '10' },
        0.42,
      ],
      [
        'references',
        { model: 'kling-v3-omni', prompt: 'x', seconds: 4, resolution: '720p', reference_images: [FIRST, LAST] },
        '/v1/videos/omni-video',
        { image_list: [{ image_url: FIRST }, { image_url: LAST }], mode: 'std', duration: '4' },
        0.336,
      ],
    ],
    refused: [
      ['seconds', { model: 'kling-v2-6', prompt: 'x', seconds: 7 }, /seconds: 5, 10/],
      ['a ratio', { model: 'kling-v3', prompt: 'x', aspect_ratio: '4:3' }, /ratio: 16:9, 9:16, 1:1/],
      ['references', { model: 'kling-v3', prompt: 'x', reference_images: [FIRST] }, /reference picture: none/],
      ['sound in 720p', { model: 'kling-v2-6', prompt: 'x', sound: true }, /resolution: 1080p/],
    ],
    own: {
      submit: '/v1/videos/text2video',
      body: { model_name: 'kling-v3', prompt: 'a cat', mode: 'pro', duration: '10', sound: 'on' },
      dollars: 1.68,
      id: ['data', 'task_id'],
      read: (id) => `/v1/videos/text2video/${id}`,
      tells: [
        { code: 0, data: { task_status: 'processing' } },
        { code: 0, data: { task_status: 'succeed', task_result: { videos: [{ duration: '10' }] } } },
        { code: 0, data: { task_status: 'failed', task_status_msg: 'the prompt was refused by the content filter' } },
      ],
    },
  },
  {
    ...{ name: 'Wan', vendor: playedDashscope, type: 17, key: 'sk-any' },
    models: 'wan2.7-t2v,wan2.7-i2v,wan2.6-t2v,wan2.6-i2v,wan3.0-video',
    films: [
      [
        'a film of words, of today',
        { model: 'wan2.7-t2v', prompt: 'a cat', seconds: '5', size: wide, seed: 7, negative_prompt: 'dogs' },
        WAN,
        {
          model: 'wan2.7-t2v',
          input: { prompt: 'a cat', negative_prompt: 'dogs' },
          parameters: { resolution: '720P', ratio: '16:9', duration: 5, seed: 7 },
        },
        0.5,
      ],
      [
        'a film of words, of before',
        { model: 'wan2.6-t2v', prompt: 'a cat', aspect_ratio: '9:16' },
        WAN,
        { input: { prompt: 'a cat' }, parameters: { size: '1080*1920', duration: 5 } },
        0.75,
      ],
      [
        'two pictures',
        { model: 'wan2.7-i2v', prompt: 'x', seconds: 2, input_reference: FIRST, last_frame: LAST },
        WAN,
        {
          input: { media: [{ type: 'first_frame', url: FIRST }, { type: 'last_frame', url: LAST }] },
          parameters: { resolution: '1080P', duration: 2 },
        },
        0.3,
      ],
      [
        'one picture, of before',
        { model: 'wan2.6-i2v', prompt: 'x', seconds: 10, resolution: '720p', input_reference: FIRST },
        WAN,
        { input: { img_url: FIRST }, parameters: { resolution: '720P', duration: 10 } },
        1,
      ],
      [
        'references',
        { model: 'wan3.0-video', prompt: 'x', seconds: 2, resolution: '480p', reference_images: [FIRST] },
        WAN,
        { input: { media: [{ type: 'reference_image', url: FIRST }] }, parameters: { resolution: '480P', ratio: '16:9' } },
        0.1,
      ],
    ],
    refused: [
      ['seconds', { model: 'wan2.7-t2v', prompt: 'x', seconds: 16 }, /seconds: 5, 2, 3/],
      ['silence', { model: 'wan2.7-t2v', prompt: 'x', sound: false }, /sound: true/],
      ['no picture', { model: 'wan2.7-i2v', prompt: 'x' }, /first picture: at least 1/],
      [
        'frames beside references',
        { model: 'wan3.0-video', prompt: 'x', input_reference: FIRST, reference_images: [LAST] },
        /first and last, or references/,
      ],
    ],
    own: {
      submit: WAN,
      body: { model: 'wan2.6-t2v', input: { prompt: 'a cat' }, parameters: { size: '1280*720', duration: 10 } },
      dollars: 1,
      id: ['output', 'task_id'],
      read: (id) => `/api/v1/tasks/${id}`,
      tells: [
        { output: { task_status: 'RUNNING' } },
        { output: { task_status: 'SUCCEEDED', orig_prompt: 'a cat' }, usage: { duration: 10, SR: 720 } },
        { output: { task_status: 'FAILED', message: 'the prompt was refused by the content filter' } },
      ],
    },
  },
  {
    ...{ name: 'Vidu', vendor: playedVidu, type: 52, key: 'vda_any' },
    models: 'viduq3-pro,viduq3-turbo,viduq3',
    films: [
      [
        'a film of words',
        { model: 'viduq3-pro', prompt: 'a cat', seconds: '4', size: wide },
        '/ent/v2/text2video',
        { model: 'viduq3-pro', prompt: 'a cat', duration: 4, resolution: '720p', aspect_ratio: '16:9', audio: true },
        0.6,
      ],
      [
        'one picture, silent',
        { model: 'viduq3-turbo', prompt: 'x', resolution: '1080p', sound: false, input_reference: FIRST },
        '/ent/v2/img2video',
        { images: [FIRST], duration: 5, resolution: '1080p', audio: false },
        0.4,
      ],
      [
        'two pictures',
        { model: 'viduq3-pro', prompt: 'x', seconds: 1, resolution: '540p', input_reference: FIRST, last_frame: LAST },
        '/ent/v2/start-end2video',
        { images: [FIRST, LAST], duration: 1 },
        0.07,
      ],
      [
        'references',
        { model: 'viduq3', prompt: 'x', seconds: 3, aspect_ratio: '4:3', reference_images: [LAST, FIRST] },
        '/ent/v2/reference2video',
        { images: [LAST, FIRST], aspect_ratio: '4:3' },
        0.3,
      ],
    ],
    refused: [
      ['seconds', { model: 'viduq3-pro', prompt: 'x', seconds: 17 }, /seconds: 5, 1, 2/],
      ['a resolution', { model: 'viduq3-pro', prompt: 'x', resolution: '4k' }, /resolution: 720p, 1080p, 540p/],
      ['no reference', { model: 'viduq3', prompt: 'x' }, /reference picture: at least 1/],
      ['a last picture alone', { model: 'viduq3-pro', prompt: 'x', last_frame: LAST }, /only with a first picture/],
    ],
    own: {
      submit: '/ent/v2/img2video',
      body: { model: 'viduq3-pro', images: [FIRST], prompt: 'a cat', duration: 8, resolution: '1080p' },
      dollars: 1.28,
      id: ['task_id'],
      read: (id) => `/ent/v2/tasks/${id}/creations`,
      tells: [
        { state: 'processing', creations: [] },
        { state: 'success', err_code: '', credits: 256 },
        { state: 'failed', err_code: 'CreationPolicyViolation', creations: [] },
      ],
    },
  },
  {
    ...{ name: 'Runway', vendor: playedRunway, type: 1015, key: 'key_any' },
    models: 'gen4.5,gen4_turbo,veo3.1',
    films: [
      [
        'a film of words',
        { model: 'gen4.5', prompt: 'a cat', seconds: '5', size: wide, seed: 9 },
        '/v1/text_to_video',
        { model: 'gen4.5', promptText: 'a cat', ratio: '1280:720', duration: 5, seed: 9 },
        0.6,
      ],
      [
        'one picture, of its own sides',
        { model: 'gen4_turbo', prompt: 'x', seconds: 2, aspect_ratio: '21:9', input_reference: FIRST },
        '/v1/image_to_video',
        { promptImage: [{ uri: FIRST, position: 'first' }], ratio: '1584:672', duration: 2 },
        0.1,
      ],
      [
        'two pictures, with sound as its vendor has it',
        { model: 'veo3.1', prompt: 'x', seconds: 4, resolution: '1080p', input_reference: FIRST, last_frame: LAST },
        '/v1/image_to_video',
        {
          promptImage: [{ uri: FIRST, position: 'first' }, { uri: LAST, position: 'last' }],
          ...{ ratio: '1920:1080', audio: true },
        },
        1.6,
      ],
      [
        'the same without sound',
        { model: 'veo3.1', prompt: 'x', seconds: 4, sound: false, negative_prompt: 'dogs' },
        '/v1/text_to_video',
        { audio: false, negativePrompt: 'dogs' },
        0.8,
      ],
    ],
    refused: [
      ['seconds', { model: 'veo3.1', prompt: 'x', seconds: 5 }, /seconds: 8, 4, 6/],
      ['a ratio of pictures', { model: 'gen4.5', prompt: 'x', aspect_ratio: '4:3' }, /ratio: 16:9, 9:16/],
      ['no picture', { model: 'gen4_turbo', prompt: 'x' }, /first picture: at least 1/],
    ],
    own: {
      submit: '/v1/image_to_video',
      body: { model: 'gen4.5', promptImage: FIRST, promptText: 'a cat', ratio: '960:960', duration: 10 },
      dollars: 1.2,
      id: ['id'],
      read: (id) => `/v1/tasks/${id}`,
      tells: [
        { status: 'RUNNING', progress: 0.3 },
        { status: 'SUCCEEDED' },
        { status: 'FAILED', failureCode: 'SAFETY.INPUT.TEXT' },
      ],
    },
  },
]
