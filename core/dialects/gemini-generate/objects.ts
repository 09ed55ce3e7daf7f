// Declares the members of Google's formats that refer to objects stored at Google, in both spellings.
import {
  declareId,
  normalizePrivateAddress,
  type FormatObjectDeclarations,
  type ObjectDeclarations,
} from '../requests/object-places.ts'
import { toSnakeCase } from './fields.ts'

/** Members may also be spelled with underscores. */
const eitherName = (places: ObjectDeclarations): ObjectDeclarations =>
  Object.fromEntries(
    Object.entries(places).flatMap(([name, place]) => [
      [name, place],
      [toSnakeCase(name), place],
    ]),
  )

const fileUri = declareId('file', { read: normalizePrivateAddress })
const media = eitherName({ fileData: eitherName({ fileUri }) })
const part: ObjectDeclarations = { ...media, ...eitherName({ functionResponse: { parts: media } }) }
const content: ObjectDeclarations = { parts: part }

const store = declareId('vector_store')
const tool = eitherName({
  fileSearch: eitherName({ fileSearchStoreNames: store }),
  retrieval: eitherName({
    vertexRagStore: eitherName({
      ragCorpora: store,
      ragResources: eitherName({ ragCorpus: store, ragFileIds: declareId('file') }),
    }),
    vertexAiSearch: eitherName({ datastore: store, engine: store, dataStoreSpecs: eitherName({ dataStore: store }) }),
  }),
})

const request: ObjectDeclarations = {
  contents: content,
  // Embeddings, of which one request may hold many.
  content,
  requests: () => request,
  ...eitherName({
    systemInstruction: content,
    cachedContent: declareId('cached_content'),
    // A request to count tokens may be nested.
    generateContentRequest: () => request,
  }),
  tools: tool,
}

export const generateObjects: FormatObjectDeclarations = {
  request,
  answer: { candidates: { content: { parts: media } } },
  unknown: 'object.denied',
}
