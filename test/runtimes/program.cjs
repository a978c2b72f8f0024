const client = require('@svc-admin/client')
const openapiFetch = require('@svc-admin/client/openapi-fetch')

import('./scenario.mjs')
  .then(({ run }) => run(client, openapiFetch, JSON.parse(process.argv[2])))
  .then((outcome) => console.log(JSON.stringify(outcome)))
