using Polyjuice.Storage;

namespace Polyjuice.Tests.Publishing.Following;

/// <summary>What is kept beside the logs of silos that a test makes up.</summary>
internal sealed class MemoryNotes : ILogNotes
{
    private readonly Dictionary<string, LogNote> _notes = [];

    public bool IsAway { get; set; }

    public byte[] this[string name]
    {
        get => _notes[name].Content.ToArray();
        set => _notes[name] = new(_notes[name].Number, value);
    }

    public ValueTask<LogNote?> ReadNoteAsync(string name, CancellationToken cancellationToken)
    {
        if (IsAway) throw new IOException("The logs are away.");
        return new(_notes.GetValueOrDefault(name));
    }

    public ValueTask<bool> WriteNoteAsync(
        string name, long number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        if (IsAway) throw new IOException("The logs are away.");
        if (number != (_notes.GetValueOrDefault(name)?.Number ?? 0) + 1) return new(false);
        _notes[name] = new(number, content.ToArray());
        return new(true);
    }
}
