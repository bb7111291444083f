"""HTTP interface of the server: authentication, error responses and the JSON API."""
