// Declares the members of Google's formats that refer to objects stored at Google, in both spellings.
import { declareId, ownAddress, type FormatObjects, type ObjectPlaces } from '../object-places.ts'
import { toSnakeCase } from './fields.ts'

/** Members may also be spelled with underscores. */
const eitherName = (places: ObjectPlaces): ObjectPlaces =>
  Object.fromEntries(
    Object.entries(places).flatMap(([name, place]) => [
      [name, place],
      [toSnakeCase(name), place],
    ]),
  )

const fileUri = declareId('file', { read: ownAddress })
const media = eitherName({ fileData: eitherName({ fileUri }) })
const part: ObjectPlaces = { ...media, ...eitherName({ functionResponse: { parts: media } }) }
const content: ObjectPlaces = { parts: part }

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

const request: ObjectPlaces = {
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

export const objects: FormatObjects = {
  request,
  answer: { candidates: { content: { parts: media } } },
  unknown: 'object.denied',
}
