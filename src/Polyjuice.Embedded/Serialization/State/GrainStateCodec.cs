using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Serialization;

/// <summary>Checks state types before any grain runs.</summary>
public static class GrainStateCodec
{
    /// <summary>
    /// Throws <see cref="CodecNotFoundException"/>, which names the type and the member to blame, when states of
    /// <paramref name="stateType"/> can't be copied or written to the log.
    /// </summary>
    public static void Validate(Type stateType) => new StateTypeValidator(CodecProvider.Shared).Validate(stateType);
}

/// <summary>
/// Copies states by their generated codecs, and writes them for the log as JSON by member names: members with an
/// <see cref="Orleans.IdAttribute"/>, private ones included. Members that a stored state lacks keep what the constructor gave them; members
/// that it has and the class has not are ignored. Sets and dictionaries come back with the comparer that the constructor gave them. Throws <see cref="CodecNotFoundException"/> when it is made for a type that can't be a state.
/// </summary>
/// <typeparam name="T">The state type.</typeparam>
public sealed class GrainStateCodec<T> : IStateCodec<T>
    where T : class, new()
{
    private readonly IValueCodec<T> _codec;
    private readonly JsonTypeInfo<T> _json;

    /// <summary>Makes the codec.</summary>
    public GrainStateCodec() : this(CodecProvider.Shared)
    {
    }

    internal GrainStateCodec(CodecProvider provider)
    {
        new StateTypeValidator(provider).Validate(typeof(T));
        _codec = provider.Get<T>();

        // The engine makes states by Create, Copy and Decode only, so that they are never of a derived class.
        IsImmutable = _codec.IsImmutable || _codec is IMemberCodec { IsExactImmutable: true };
        _json = (JsonTypeInfo<T>)StateJson.OptionsOf(provider).GetTypeInfo(typeof(T));
    }

    /// <inheritdoc/>
    public string Name => "json";

    /// <inheritdoc/>
    public bool IsImmutable { get; }

    /// <inheritdoc/>
    public T Create() => new();

    /// <inheritdoc/>
    public T Copy(T value) => _codec.Copy(value);

    /// <inheritdoc/>
    public T Copy(T value, T spent)
    {
        // Not for derived classes, whose codecs are others', and not for what is shared rather than copied.
        if (IsImmutable || _codec is not ClassCodec<T> codec || value.GetType() != typeof(T) || spent.GetType() != typeof(T)) return _codec.Copy(value);
        codec.CopyMembers(value, spent);
        return spent;
    }

    /// <inheritdoc/>
    public void Encode(T value, IBufferWriter<byte> output)
    {
        // A writer that an exception left in the middle of a value is not used again.
        var writer = StateJson.TakeWriter(output);
        JsonSerializer.Serialize(writer, value, _json);
        writer.Flush();
        StateJson.ReturnWriter(writer);
    }

    /// <summary>The reverse of <see cref="Encode"/>. Throws <see cref="WireFormatException"/> on malformed input.</summary>
    public T Decode(ReadOnlySpan<byte> bytes)
    {
        try
        {
            return JsonSerializer.Deserialize(bytes, _json) ?? throw new WireFormatException($"A stored state of type {typeof(T)} is null.");
        }
        catch (JsonException e)
        {
            throw new WireFormatException($"A stored state of type {typeof(T)} is malformed: {e.Message}");
        }
    }
}
