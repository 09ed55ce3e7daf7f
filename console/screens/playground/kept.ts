// Stores conversations: in this browser only, by user, and for each user only the latest.
import type { PlaygroundConversation } from './conversation.ts'

/** The fields of a conversation in the list. */
export type ConversationHead = Pick<PlaygroundConversation, 'id' | 'user_id' | 'name' | 'changed'>

export const MAX_STORED_CONVERSATIONS = 50

const HEADS = 'heads'
const WHOLE = 'conversations'

// The browser opens the database once, at the first use, so the promise belongs to the module.
let opening: Promise<IDBDatabase> | undefined

const database = (): Promise<IDBDatabase> =>
  (opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('weir-playground', 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(HEADS, { keyPath: 'id' }).createIndex('user_id', 'user_id')
      request.result.createObjectStore(WHOLE, { keyPath: 'id' })
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error!))
  }))

const toPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error!))
  })

/** Returns the heads, latest first. */
export async function listHeads(userId: number): Promise<ConversationHead[]> {
  const heads = (await database()).transaction(HEADS).objectStore(HEADS).index('user_id')
  const found = await toPromise<ConversationHead[]>(heads.getAll(userId))
  return found.sort((a, b) => b.changed - a.changed)
}

/** Returns undefined if the user has no such conversation. */
export async function loadConversation(id: string, userId: number): Promise<PlaygroundConversation | undefined> {
  const whole = (await database()).transaction(WHOLE).objectStore(WHOLE)
  const found = await toPromise<PlaygroundConversation | undefined>(whole.get(id))
  return found?.user_id === userId ? found : undefined
}

/** Stores it, and deletes the oldest ones above the maximum. Returns the remaining heads. */
export async function storeConversation(conversation: PlaygroundConversation): Promise<ConversationHead[]> {
  const { id, user_id, name, changed } = conversation
  const writing = (await database()).transaction([HEADS, WHOLE], 'readwrite')
  writing.objectStore(WHOLE).put(conversation)
  await toPromise(writing.objectStore(HEADS).put({ id, user_id, name, changed } satisfies ConversationHead))
  const heads = await listHeads(user_id)
  await Promise.all(heads.slice(MAX_STORED_CONVERSATIONS).map((head) => deleteConversation(head.id)))
  return heads.slice(0, MAX_STORED_CONVERSATIONS)
}

export async function deleteConversation(id: string): Promise<void> {
  const writing = (await database()).transaction([HEADS, WHOLE], 'readwrite')
  await Promise.all([HEADS, WHOLE].map((store) => toPromise(writing.objectStore(store).delete(id))))
}
