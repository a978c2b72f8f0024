const client = require('@svc-admin/client')

import('./scenario.mjs')
  .then(({ run }) => run(client, JSON.parse(process.argv[2])))
  .then((outcome) => console.log(JSON.stringify(outcome)))
