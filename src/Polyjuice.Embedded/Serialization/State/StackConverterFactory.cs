using System.Collections.Immutable;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Polyjuice.Embedded.Serialization;

/// <summary>Keeps stacks the right way up: the JSON serialiser writes them top first and reads them bottom first.</summary>
internal sealed class StackConverterFactory : JsonConverterFactory
{
    public override bool CanConvert(Type type) =>
        type.IsGenericType && (type.GetGenericTypeDefinition() == typeof(Stack<>) || type.GetGenericTypeDefinition() == typeof(ImmutableStack<>));

    public override JsonConverter CreateConverter(Type type, JsonSerializerOptions options) => (JsonConverter)Activator.CreateInstance(
        (type.GetGenericTypeDefinition() == typeof(Stack<>) ? typeof(StackConverter<>) : typeof(ImmutableStackConverter<>))
            .MakeGenericType(type.GetGenericArguments()))!;

    private sealed class StackConverter<T> : JsonConverter<Stack<T>>
    {
        public override Stack<T>? Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options) =>
            JsonSerializer.Deserialize<T[]>(ref reader, options) is { } items ? new(items.Reverse()) : null;

        public override void Write(Utf8JsonWriter writer, Stack<T> value, JsonSerializerOptions options) =>
            JsonSerializer.Serialize(writer, value.ToArray(), options);
    }

    private sealed class ImmutableStackConverter<T> : JsonConverter<ImmutableStack<T>>
    {
        public override ImmutableStack<T>? Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options) =>
            JsonSerializer.Deserialize<T[]>(ref reader, options) is { } items ? ImmutableStack.CreateRange(items.Reverse()) : null;

        public override void Write(Utf8JsonWriter writer, ImmutableStack<T> value, JsonSerializerOptions options) =>
            JsonSerializer.Serialize(writer, value.ToArray(), options);
    }
}
