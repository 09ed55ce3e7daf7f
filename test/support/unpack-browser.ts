// Chromium is unpacked once, before anybody starts it: two workers that do it at once start half of a program.
import chromium from '@sparticuz/chromium'

export default async function unpackBrowser(): Promise<void> {
  await chromium.executablePath()
}
