using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Polyjuice.Embedded.Serialization;

/// <summary>How states become JSON. Options are kept per provider, because they hold what was worked out about types.</summary>
internal static class StateJson
{
    /// <summary>Logs are no web pages, so nothing is escaped that JSON does not require; and what types write was checked at start.</summary>
    public static readonly JsonWriterOptions WriterOptions = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        MaxDepth = DepthMax,
        SkipValidation = true,
    };

    /// <summary>Objects within objects, at most; bounds the stack that a state may take.</summary>
    private const int DepthMax = 512;

    private static readonly ConditionalWeakTable<CodecProvider, JsonSerializerOptions> Options = [];

    // One per thread serves all state types.
    [ThreadStatic]
    private static Utf8JsonWriter? s_writer;

    /// <summary>A writer to <paramref name="output"/>; give it back when it has written all.</summary>
    public static Utf8JsonWriter TakeWriter(IBufferWriter<byte> output)
    {
        if (s_writer is not { } writer) return new(output, WriterOptions);
        s_writer = null;
        writer.Reset(output);
        return writer;
    }

    /// <summary>Keeps the writer for the thread's next state.</summary>
    public static void ReturnWriter(Utf8JsonWriter writer) => s_writer = writer;

    /// <summary>The provider's options.</summary>
    public static JsonSerializerOptions OptionsOf(CodecProvider provider) => Options.GetValue(provider, static provider =>
    {
        var options = new JsonSerializerOptions
        {
            TypeInfoResolver = new StateJsonResolver(provider),
            Encoder = WriterOptions.Encoder,
            MaxDepth = DepthMax,
            NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
            IncludeFields = true,
            Converters = { new StackConverterFactory(), new ReadOnlySetConverterFactory() },
        };
        options.MakeReadOnly();
        return options;
    });
}
