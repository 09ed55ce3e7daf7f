// Declares the members of Google's formats that name objects that Google keeps, in both spellings of their members.
import { idOf, ownAddress, type FormatObjects, type ObjectPlaces } from '../object-places.ts'
import { underscored } from './fields.ts'

/** Members may be spelt with underscores as well. */
const eitherName = (places: ObjectPlaces): ObjectPlaces =>
  Object.fromEntries(
    Object.entries(places).flatMap(([name, place]) => [
      [name, place],
      [underscored(name), place],
    ]),
  )

const fileUri = idOf('file', { read: ownAddress })
const media = eitherName({ fileData: eitherName({ fileUri }) })
const part: ObjectPlaces = { ...media, ...eitherName({ functionResponse: { parts: media } }) }
const content: ObjectPlaces = { parts: part }

const store = idOf('vector_store')
const tool = eitherName({
  fileSearch: eitherName({ fileSearchStoreNames: store }),
  retrieval: eitherName({
    vertexRagStore: eitherName({
      ragCorpora: store,
      ragResources: eitherName({ ragCorpus: store, ragFileIds: idOf('file') }),
    }),
    vertexAiSearch: eitherName({ datastore: store, engine: store, dataStoreSpecs: eitherName({ dataStore: store }) }),
  }),
})

const request: ObjectPlaces = {
  contents: content,
  // Of embeddings, which may stand many in one.
  content,
  requests: () => request,
  ...eitherName({
    systemInstruction: content,
    cachedContent: idOf('cached_content'),
    // A request to be counted may stand in one of its own.
    generateContentRequest: () => request,
  }),
  tools: tool,
}

export const objects: FormatObjects = {
  request,
  answer: { candidates: { content: { parts: media } } },
  unknown: 'object.denied',
}
