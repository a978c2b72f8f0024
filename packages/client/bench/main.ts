import { measureDigest } from './digest.ts'
import { measureOverhead } from './overhead.ts'
import { overheadContenders } from './overhead-contenders.ts'
import { installPeers } from './peers.ts'
import { measureSizes } from './sizes.ts'
import { measureTypes } from './types.ts'

// `npm run bench -w packages/client`, after a build; with `-- --no-peers` nothing is installed.
const peers = process.argv.includes('--no-peers') ? undefined : await installPeers()

console.log('\nBundle of one program that reads a list, esbuild, minified for browsers')
console.table(await measureSizes(peers))
console.log(
  '\nOverhead of a call: a stub answers 228 bytes, all defaults on; the fastest of 200 rounds of 200',
)
console.table(await measureOverhead(await overheadContenders(peers)))
console.log('\nRequests for 1,000 calls with Digest')
console.table(await measureDigest())
console.log('\nWork of the compiler for a program of 20 calls')
console.table(measureTypes(true))
