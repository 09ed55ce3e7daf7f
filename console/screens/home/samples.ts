// How to call the gateway, in three languages.

export const samples = {
  Shell: (baseUrl: string) => `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer sk-your-token" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "gpt-4o-mini",
    "messages": [{"role": "user", "content": "Hello"}]
  }'`,
  Python: (baseUrl: string) => `from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key="sk-your-token")

reply = client.chat.completions.create(
    model="gpt-4o-mini",
    messages=[{"role": "user", "content": "Hello"}],
)
print(reply.choices[0].message.content)`,
  Node: (baseUrl: string) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: 'sk-your-token' })

const reply = await client.chat.completions.create({
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(reply.choices[0].message.content)`,
}

export type SampleName = keyof typeof samples
