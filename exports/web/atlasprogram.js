// Draws all nodes as points whose shapes the fragment shader cuts out: a card, a hexagon, a diamond, a triangle.

const VERTEX = `
attribute vec2 a_position;
attribute float a_size;
attribute float a_shape;
attribute vec4 a_color;
attribute vec4 a_id;
uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_pixelRatio;
varying vec4 v_color;
varying float v_shape;
varying float v_size;
void main() {
  gl_Position = vec4((u_matrix * vec3(a_position, 1)).xy, 0, 1);
  float size = a_size / u_sizeRatio * u_pixelRatio * 2.0;
  v_size = max(size, 1.3 * u_pixelRatio);
  gl_PointSize = v_size + 1.0;
  v_shape = a_shape;
  #ifdef PICKING_MODE
  v_color = a_id;
  #else
  v_color = a_color;
  #endif
  v_color.a *= 255.0 / 254.0;
}`;

const FRAGMENT = `
precision mediump float;
varying vec4 v_color;
varying float v_shape;
varying float v_size;
float outside(vec2 at) {
  vec2 p = abs(at);
  if (v_shape < 0.5) return (p.x + p.y) * 0.8 - 0.8;
  if (v_shape < 1.5) return max(p.x * 0.866 + p.y * 0.5, p.y) - 0.84;
  if (v_shape < 2.5) return max(p.x * 0.866 + at.y * 0.5, -at.y) - 0.55;
  vec2 corner = p - vec2(0.50, 0.74);
  return length(max(corner, 0.0)) + min(max(corner.x, corner.y), 0.0) - 0.16;
}
void main() {
  vec2 at = (gl_PointCoord * 2.0 - 1.0) * (v_size + 1.0) / v_size * vec2(1.0, -1.0);
  float away = v_size < 5.0 ? length(at) - 0.92 : outside(at);
  float soft = 2.0 / v_size;
  #ifdef PICKING_MODE
  if (away > 0.0) discard;
  gl_FragColor = v_color;
  #else
  float alpha = v_color.a * (1.0 - smoothstep(-soft * 0.5, soft * 0.5, away));
  gl_FragColor = vec4(v_color.rgb * alpha, alpha);
  #endif
}`;

/** The program, made when sigma is there. */
export function shapeProgram({ NodeProgram }) {
  const { FLOAT, UNSIGNED_BYTE, POINTS } = WebGLRenderingContext;
  return class extends NodeProgram {
    getDefinition() {
      return {
        VERTICES: 1,
        VERTEX_SHADER_SOURCE: VERTEX,
        FRAGMENT_SHADER_SOURCE: FRAGMENT,
        METHOD: POINTS,
        UNIFORMS: ["u_sizeRatio", "u_pixelRatio", "u_matrix"],
        ATTRIBUTES: [
          { name: "a_position", size: 2, type: FLOAT },
          { name: "a_size", size: 1, type: FLOAT },
          { name: "a_shape", size: 1, type: FLOAT },
          { name: "a_color", size: 4, type: UNSIGNED_BYTE, normalized: true },
          { name: "a_id", size: 4, type: UNSIGNED_BYTE, normalized: true },
        ],
      };
    }

    processVisibleItem(id, at, data) {
      const { array } = this;
      array[at] = data.x;
      array[at + 1] = data.y;
      array[at + 2] = data.size;
      array[at + 3] = data.shape;
      array[at + 4] = packed(data.color);
      array[at + 5] = id;
    }

    setUniforms({ sizeRatio, pixelRatio, matrix }, { gl, uniformLocations }) {
      gl.uniform1f(uniformLocations.u_sizeRatio, sizeRatio);
      gl.uniform1f(uniformLocations.u_pixelRatio, pixelRatio);
      gl.uniformMatrix3fv(uniformLocations.u_matrix, false, matrix);
    }
  };
}

const floats = new Map();

/** "#rrggbb" as the float whose bytes are the color. */
function packed(color) {
  let found = floats.get(color);
  if (found === undefined) {
    const bytes = new Uint8Array([1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).concat(254));
    found = new Float32Array(bytes.buffer)[0];
    floats.set(color, found);
  }
  return found;
}
