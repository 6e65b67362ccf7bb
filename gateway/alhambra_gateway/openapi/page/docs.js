// Shows the API document with Swagger UI. Credentials that are typed in stay in this page.
"use strict";

const place = document.getElementById("api");

// Swagger UI has dark colours of its own, under a class of the root element.
const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", prefersDark.matches);
prefersDark.addEventListener("change", paint);
paint();

// Swagger UI closes a lock once a credential was typed in. Here a closed lock stands for a call that still needs one, and
// an open lock for a call that can be made: with the credential that was typed in, or without any.
const inverted = (Button, { React }) => (props) =>
  React.createElement(Button, { ...props, isAuthorized: !props.isAuthorized });
const locks = { wrapComponents: { authorizeBtn: inverted, authorizeOperationBtn: inverted } };

SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  persistAuthorization: false,
  tryItOutEnabled: false,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [locks],
});
