using System.Globalization;

namespace Polyjuice.Storage;

/// <summary>
/// Notes as objects of a device, <c>notes/NAME/NUMBER.note</c>. Each is an object of its own, because of several
/// writers one makes an object that is not there; those before it go when it is there.
/// </summary>
/// <param name="device">Where.</param>
internal sealed class DeviceNotes(ILogDevice device) : ILogNotes
{
    private const string Suffix = ".note";
    private const int BytesMax = 64 << 20;

    /// <inheritdoc/>
    public async ValueTask<LogNote?> ReadNoteAsync(string name, CancellationToken cancellationToken)
    {
        while (true)
        {
            var number = (await NumbersAsync(name, cancellationToken)).DefaultIfEmpty(0).Max();
            if (number == 0) return null;
            try
            {
                var content = await new ObjectReader(device, NameOf(name, number)).TakeAsync(
                    BytesMax, cancellationToken);
                return new(number, content.ToArray());
            }
            catch (FileNotFoundException)
            {
                // A later one has taken its place.
            }
        }
    }

    /// <inheritdoc/>
    public async ValueTask<bool> WriteNoteAsync(
        string name, long number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(content.Length, BytesMax);
        if (!await device.PutAsync(
            NameOf(name, number), StoreManifest.Pieces(content), overwrite: false, cancellationToken))
            return false;

        // One that was written after this one's writer had looked may be gone again.
        var numbers = await NumbersAsync(name, cancellationToken);
        foreach (var earlier in numbers.Where(other => other < number))
            await device.DeleteAsync(NameOf(name, earlier), cancellationToken);
        return numbers.Max() == number;
    }

    private async Task<List<long>> NumbersAsync(string name, CancellationToken cancellationToken)
    {
        var numbers = new List<long>();
        foreach (var entry in await device.ListAsync(FolderOf(name), cancellationToken))
        {
            var text = Path.GetFileNameWithoutExtension(entry.Name);
            if (long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                && NameOf(name, number) == entry.Name)
                numbers.Add(number);
        }

        return numbers;
    }

    private static string FolderOf(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return name.Length <= 64 && name.All(
            static one => char.IsAsciiLetterLower(one) || char.IsAsciiDigit(one) || one == '-')
            ? $"notes/{name}/"
            : throw new ArgumentException(
                $"'{name}' is no note's name: it has 1 to 64 characters of a-z 0-9 -.", nameof(name));
    }

    private static string NameOf(string name, long number) =>
        string.Create(CultureInfo.InvariantCulture, $"{FolderOf(name)}{number:D20}{Suffix}");
}
