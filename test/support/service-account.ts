// A service account's key of Google's, made anew, whose tokens are to be had at an address of the test.
import { exportPKCS8, generateKeyPair } from 'jose'

/** The key as the JSON that a channel has, in the project `p1`. */
export async function serviceAccount(token_uri: string): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const private_key = await exportPKCS8(privateKey)
  return JSON.stringify({ project_id: 'p1', client_email: 'weir@p1.iam.gserviceaccount.com', private_key, token_uri })
}
