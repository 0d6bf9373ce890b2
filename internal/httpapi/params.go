package httpapi

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/labstack/echo/v4"
)

// param is a parameter of an operation.
type param struct {
	contract *openapi3.Parameter
	header   string // the name of a header as Go writes it
	plain    bool   // its schema says no more than fits looks at
}

// paramsOf returns the parameters of an operation, those of its path among them.
func paramsOf(item *openapi3.PathItem, op *openapi3.Operation) []param {
	var all []param
	for _, ref := range item.Parameters {
		if op.Parameters.GetByInAndName(ref.Value.In, ref.Value.Name) == nil {
			all = append(all, paramOf(ref.Value))
		}
	}
	for _, ref := range op.Parameters {
		all = append(all, paramOf(ref.Value))
	}
	return all
}

func paramOf(p *openapi3.Parameter) param {
	return param{
		contract: p, header: http.CanonicalHeaderKey(p.Name), plain: p.Content == nil && p.Schema != nil && isPlain(p.Schema.Value),
	}
}

// isPlain reports whether a schema says no more than fits looks at.
func isPlain(s *openapi3.Schema) bool {
	composed := len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0 || s.Not != nil
	if composed || len(s.Enum) > 0 || s.Default != nil || s.Pattern != "" || s.MultipleOf != nil {
		return false
	}
	if s.ExclusiveMin.IsSet() || s.ExclusiveMax.IsSet() {
		return false
	}
	switch {
	case s.Type.Is(openapi3.TypeBoolean):
		return true
	case s.Type.Is(openapi3.TypeInteger):
		return s.Format == "" || s.Format == "int32" || s.Format == "int64"
	case s.Type.Is(openapi3.TypeString):
		return s.Format == "" || s.Format == "uuid"
	default:
		return false
	}
}

// paramsHeldToContract returns what of the parameters doesn't fit the contract. Most are known to fit by a short check; of
// the others the validator has the last word. They have no defaults: handlers say what is meant without one.
func paramsHeldToContract(c echo.Context, o operation, query url.Values) (wrong []wrongPart, err error) {
	var input *openapi3filter.RequestValidationInput
	for _, p := range o.declared {
		if p.surelyFits(c, query) {
			continue
		}
		if input == nil {
			if input, err = validation(c, o, query); err != nil {
				return nil, err
			}
		}
		if err := openapi3filter.ValidateParameter(c.Request().Context(), input, p.contract); err != nil {
			wrong = append(wrong, wrongPart{"/" + p.contract.In + "/" + pointerToken(p.contract.Name), wanted(p.contract.Schema.Value)})
		}
	}
	return wrong, nil
}

// validation is what the validator has to know of a request to look at its parameters.
func validation(c echo.Context, o operation, query url.Values) (*openapi3filter.RequestValidationInput, error) {
	path, err := pathParams(c)
	if err != nil {
		return nil, err
	}
	return &openapi3filter.RequestValidationInput{
		Request: c.Request(), PathParams: path, QueryParams: query, Route: o.contract, ParamDecoder: nil,
		Options: &openapi3filter.Options{
			SkipSettingDefaults:     true,
			SchemaValidationOptions: []openapi3.SchemaValidationOption{openapi3.WithStringFormatValidators(formats)},
		},
	}, nil
}

// surelyFits reports whether a parameter of a request is known to fit the contract by a short check.
func (p param) surelyFits(c echo.Context, query url.Values) bool {
	var sent []string
	switch p.contract.In {
	case openapi3.ParameterInPath: // nothing in it is escaped
		return c.Request().URL.RawPath == "" && p.fits(c.Param(p.contract.Name))
	case openapi3.ParameterInQuery:
		sent = query[p.contract.Name]
	case openapi3.ParameterInHeader:
		sent = c.Request().Header[p.header]
	default:
		return false
	}
	if len(sent) == 0 {
		return p.plain && !p.contract.Required
	}
	return len(sent) == 1 && p.fits(sent[0])
}

// fits reports whether a value surely fits a parameter.
func (p param) fits(value string) bool {
	if !p.plain || value == "" {
		return false
	}
	schema := p.contract.Schema.Value
	switch {
	case schema.Type.Is(openapi3.TypeBoolean):
		return value == "true" || value == "false"
	case schema.Type.Is(openapi3.TypeInteger):
		bits := 64
		if schema.Format == "int32" {
			bits = 32
		}
		n, err := strconv.ParseInt(value, 10, bits)
		return err == nil && isInteger(value) && within(float64(n), schema.Min, schema.Max)
	case schema.Format == "uuid":
		return checkUUID(value) == nil
	default:
		shortEnough := schema.MaxLength == nil || uint64(len(value)) <= *schema.MaxLength // it has no more characters than bytes
		return shortEnough && schema.MinLength <= 1
	}
}

func within(n float64, least, most *float64) bool {
	return (least == nil || n >= *least) && (most == nil || n <= *most)
}
