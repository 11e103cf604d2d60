using System.Globalization;

namespace Polyjuice.Isolation;

/// <summary>
/// The name of a list or a register in a history: a whole number, or text. The number 5 and the text "5" are two keys.
/// </summary>
public readonly record struct HistoryKey
{
    private readonly long _number;
    private readonly string? _text;

    /// <summary>A key that is a number.</summary>
    /// <param name="number">The number.</param>
    public HistoryKey(long number) => _number = number;

    /// <summary>A key that is text.</summary>
    /// <param name="text">The text.</param>
    public HistoryKey(string text) => _text = text ?? throw new ArgumentNullException(nameof(text));

    /// <summary>The text, or null when the key is a number.</summary>
    public string? Text => _text;

    /// <summary>The number; 0 when the key is text.</summary>
    public long Number => _number;

    /// <summary>A key that is a number.</summary>
    public static implicit operator HistoryKey(long number) => new(number);

    /// <summary>A key that is text.</summary>
    public static implicit operator HistoryKey(string text) => new(text);

    /// <inheritdoc/>
    public override string ToString() => _text ?? _number.ToString(CultureInfo.InvariantCulture);
}
