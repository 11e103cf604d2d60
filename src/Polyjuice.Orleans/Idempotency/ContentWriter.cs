using System.Buffers;
using System.Buffers.Binary;
using System.Collections;
using System.Collections.Concurrent;
using System.Globalization;
using System.Reflection;
using System.Text;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Idempotency;

/// <summary>
/// Writes what values hold, so that two values have the same bytes if they hold the same. Orleans' serialiser is no
/// help: it writes an object that it meets twice as a reference, and so tells two equal texts from one that is there
/// twice. An object is its type and its fields; a collection is its elements, in any order if it is a dictionary or a
/// set. For one thread.
/// </summary>
internal sealed class ContentWriter
{
    /// <summary>Objects within objects, at the most; what is deeper is left out.</summary>
    public const int DepthMax = 64;

    /// <summary>Values in all, at the most; what comes later is left out.</summary>
    public const int ValuesMax = 1_000_000;

    private static readonly ConcurrentDictionary<Type, FieldInfo[]> s_fields = new();
    private readonly List<object> _around = [];
    private ArrayBufferWriter<byte> _bytes = new();
    private int _values;

    private enum Mark : byte
    {
        Nothing,
        Text,
        Bytes,
        Ordered,
        Unordered,
        Object,
        Around,
        End,
    }

    /// <summary>What was written.</summary>
    public ReadOnlySpan<byte> Written => _bytes.WrittenSpan;

    /// <summary>Writes a value.</summary>
    public void Write(object? value)
    {
        if (value is null or CancellationToken or Delegate) Put(Mark.Nothing);
        else if (value is byte[] bytes) Put(Mark.Bytes, bytes);
        else if (TextOf(value) is { } text) Put(Mark.Text, Encoding.UTF8.GetBytes(text));
        else if (_around.Count < DepthMax && ++_values <= ValuesMax) WriteWhole(value);
    }

    private static string? TextOf(object value) => value switch
    {
        string text => text,
        char or bool => value.ToString(),
        IAddressable grain => grain.GetGrainId().ToString(),
        DateTime or DateTimeOffset or DateOnly or TimeOnly =>
            ((IFormattable)value).ToString("O", CultureInfo.InvariantCulture),
        Enum => ((Enum)value).ToString("D"),
        Uri uri => uri.OriginalString,
        Type type => type.ToString(),
        IFormattable known when known.GetType().Assembly == typeof(object).Assembly =>
            known.ToString(null, CultureInfo.InvariantCulture),
        _ => null,
    };

    private static bool IsUnordered(object value) =>
        value is IDictionary || Array.Exists(
            value.GetType().GetInterfaces(),
            static type => type.IsGenericType && type.GetGenericTypeDefinition() is var open
                && (open == typeof(IReadOnlySet<>) || open == typeof(ISet<>)
                    || open == typeof(IReadOnlyDictionary<,>)));

    private static FieldInfo[] FieldsOf(Type type)
    {
        var fields = new List<FieldInfo>();
        for (var part = type; part is not null && part != typeof(object); part = part.BaseType)
        {
            const BindingFlags Own =
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
                | BindingFlags.DeclaredOnly;
            fields.AddRange(
                part.GetFields(Own).Where(static field => !field.IsDefined(typeof(NonSerializedAttribute))));
        }

        // Reflection promises no order.
        return [.. fields.OrderBy(static field => field.Name, StringComparer.Ordinal)
            .ThenBy(static field => field.DeclaringType!.ToString(), StringComparer.Ordinal)];
    }

    private void WriteWhole(object value)
    {
        if (_around.FindIndex(outer => ReferenceEquals(outer, value)) is >= 0 and var at)
        {
            Put(Mark.Around, BitConverter.GetBytes(at));
            return;
        }

        _around.Add(value);

        // Not values: an immutable array that was never made can't be walked through.
        if (value is not IEnumerable elements || value is ValueType) WriteFields(value);
        else if (IsUnordered(value)) WriteUnordered(elements);
        else WriteElements(elements);
        _around.RemoveAt(_around.Count - 1);
    }

    private void WriteFields(object value)
    {
        var type = value.GetType();
        Put(Mark.Object, Encoding.UTF8.GetBytes(type.ToString()));
        foreach (var field in s_fields.GetOrAdd(type, FieldsOf)) Write(field.GetValue(value));
        Put(Mark.End);
    }

    private void WriteElements(IEnumerable elements)
    {
        Put(Mark.Ordered);
        foreach (var element in elements) Write(element);
        Put(Mark.End);
    }

    private void WriteUnordered(IEnumerable elements)
    {
        var outer = _bytes;
        var all = new List<byte[]>();
        foreach (var element in elements)
        {
            _bytes = new();
            Write(element);
            all.Add(_bytes.WrittenSpan.ToArray());
        }

        _bytes = outer;
        all.Sort(static (one, other) => one.AsSpan().SequenceCompareTo(other));
        Put(Mark.Unordered);
        foreach (var element in all) Put(Mark.Bytes, element);
        Put(Mark.End);
    }

    private void Put(Mark mark) => _bytes.Write([(byte)mark]);

    private void Put(Mark mark, ReadOnlySpan<byte> content)
    {
        Span<byte> length = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(length, content.Length);
        Put(mark);
        _bytes.Write(length);
        _bytes.Write(content);
    }
}
