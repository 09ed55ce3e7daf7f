// Gemini's rules for the contents of a request.
import { Refusal } from '../vendor.ts'
import type { Content, GenerateBody, Part } from './shape.ts'

/** Taken in place of a signature, by Google's own word; also as clients write them that encode every signature. */
const STAND_INS = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'].flatMap((words) => [
  words,
  ...(['base64', 'base64url'] as const).map((encoding) => Buffer.from(words).toString(encoding)),
])
const MIME_TYPES =
  /^(image\/(png|jpe?g|webp|heic|heif|avif)|audio\/(wav|x-wav|mp3|mpeg|mpga|aiff|aac|ogg|flac|mp4|m4a|opus|pcm|l16|webm)|video\/.+|application\/(pdf|json|xml|rtf|x-javascript)|text\/.+)(;.*)?$/i

const partsOf = ({ parts = [] }: Content): Part[] => parts
const callsOf = (content: Content) => partsOf(content).filter(({ functionCall }) => functionCall)
const responsesOf = (content: Content) => partsOf(content).filter(({ functionResponse }) => functionResponse)

/** @param issued whether a signature is one of the vendor's. @throws Refusal */
export function checkContents(
  model: string,
  { contents, systemInstruction }: GenerateBody,
  issued: (signature: string) => boolean,
): void {
  if (contents.length === 0) throw new Refusal('* GenerateContentRequest.contents: contents is not specified\n')
  for (const [at, content] of contents.entries()) {
    checkContent(content, `contents[${at}]`, issued)
    if (content.role !== 'model' && isEmpty(content)) {
      throw new Refusal('Unable to submit request because it must have a text parameter that is not empty.')
    }
  }
  if (systemInstruction) checkContent({ ...systemInstruction, role: 'user' }, 'system_instruction', issued)
  // Streams end with an empty part, which Google's own library sends back.
  checkTurns(contents.filter((content) => !isEmpty(content)))
  if (/gemini-([3-9]|\d\d)/.test(model)) checkSignatures(contents)
}

const isEmpty = (content: Content): boolean =>
  partsOf(content).every(({ text, thoughtSignature }) => text === '' && thoughtSignature === undefined)

function checkContent(content: Content, where: string, issued: (signature: string) => boolean): void {
  const parts = partsOf(content)
  if (!['user', 'model', 'function', undefined].includes(content.role))
    throw new Refusal('Please use a valid role: user, model.')
  if (parts.length === 0)
    throw new Refusal(`* GenerateContentRequest.${where}.parts: contents.parts must not be empty.\n`)
  for (const [at, part] of parts.entries()) {
    const {
      thought: _thought,
      thoughtSignature,
      partMetadata: _metadata,
      videoMetadata: _video,
      mediaResolution: _media,
      ...data
    } = part
    const said = Object.values(data).filter((value) => value !== undefined)
    if (said.length !== 1) {
      throw new Refusal(
        `* GenerateContentRequest.${where}.parts[${at}].data: required oneof field 'data' must have one initialized field\n`,
      )
    }
    const type = part.inlineData?.mimeType
    if (type !== undefined && !MIME_TYPES.test(type)) throw new Refusal(`Unsupported MIME type: ${type}`)
    if (thoughtSignature !== undefined && !STAND_INS.includes(thoughtSignature) && !issued(thoughtSignature)) {
      throw new Refusal('Corrupted thought signature.')
    }
  }
}

/** A turn of calls follows a user's or their responses; as many responses follow it at once. */
function checkTurns(contents: readonly Content[]): void {
  for (const [at, content] of contents.entries()) {
    const before = contents[at - 1]
    const called = before ? callsOf(before).length : 0
    const responses = responsesOf(content).length
    if (callsOf(content).length > 0 && (!before || before.role === 'model')) {
      throw new Refusal(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      )
    }
    if (responses > 0 && called === 0) {
      throw new Refusal('Please ensure that function response turn comes immediately after a function call turn.')
    }
    if (called > 0 && responses !== called) {
      throw new Refusal(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      )
    }
  }
}

/** Since the user's last words, the first call of every step bears its signature. */
function checkSignatures(contents: readonly Content[]): void {
  const start = contents.findLastIndex((content) => content.role !== 'model' && responsesOf(content).length === 0)
  for (const [at, content] of contents.entries()) {
    const first = callsOf(content)[0]
    if (at < start || !first || first.thoughtSignature) continue
    throw new Refusal(
      'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and ' +
        'missing thought_signature may lead to degraded model performance. Additional data, function call ' +
        `\`default_api:${first.functionCall?.name}\` , position ${at + 1}. Please refer to ` +
        'https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
    )
  }
}
