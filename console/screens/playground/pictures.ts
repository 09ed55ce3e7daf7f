// Pictures of a message: read in the browser and sent as a part of it.

export const MAX_PICTURES = 8
export const MAX_PICTURE_MB = 10

export type PictureRefusal = { why: 'tooLarge' | 'noPicture'; name: string }

/** Reads a file as an address of the data scheme, or returns why it is refused. */
export async function readPicture(file: File): Promise<string | PictureRefusal> {
  if (!file.type.startsWith('image/')) return { why: 'noPicture', name: file.name }
  if (file.size > MAX_PICTURE_MB * 1_000_000) return { why: 'tooLarge', name: file.name }
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error!))
    reader.readAsDataURL(file)
  })
}
