using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text.Json;

namespace Polyjuice.Storage;

/// <summary>What is fixed when a store is created: an object that people can read.</summary>
/// <param name="Store">The store's random number.</param>
/// <param name="Partitions">How many partitions it has.</param>
internal sealed record StoreManifest(ulong Store, int Partitions)
{
    public const string Name = "manifest.json";
    public const int Version = 1;
    private const string Format = "polyjuice-logs";
    private const int BytesMax = 64 << 10;

    public static async Task<StoreManifest?> ReadAsync(ILogDevice device, CancellationToken cancellationToken)
    {
        ReadOnlyMemory<byte> bytes;
        try
        {
            bytes = await new ObjectReader(device, Name).TakeAsync(BytesMax, cancellationToken);
        }
        catch (FileNotFoundException)
        {
            return null;
        }

        return Parse(bytes, device.Location);
    }

    /// <summary>Reads the store's manifest, or makes one; whoever is first decides.</summary>
    public static async Task<StoreManifest> ReadOrCreateAsync(
        ILogDevice device, int partitions, ulong? store, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (await ReadAsync(device, cancellationToken) is { } known) return known;
            LogDeviceEntry[] left =
                [
                    .. await device.ListAsync("p", cancellationToken),
                    .. await device.ListAnsweredAsync("p", cancellationToken)
                ];
            if (left.Length > 0)
            {
                throw new LogDamagedException(
                    device.Location, Name, 0,
                    $"it is missing, although there is, or was, {left[0].Name}; "
                    + "without it nobody knows how many partitions there are");
            }

            var made = new StoreManifest(store ?? BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(8)), partitions);
            if (await device.PutAsync(Name, Pieces(made.Write()), overwrite: false, cancellationToken)) return made;
        }
    }

    public static async IAsyncEnumerable<ReadOnlyMemory<byte>> Pieces(ReadOnlyMemory<byte> bytes)
    {
        yield return bytes;
        await ValueTask.CompletedTask;
    }

    /// <summary>
    /// Who has the store open, for others. A copy of a store has its number as well; who has one alone shares it with
    /// no other process, and whatever another one has open is another store.
    /// </summary>
    public string Identify(bool isAlone)
    {
        var store = Store.ToString("x16", CultureInfo.InvariantCulture);
        return isAlone ? $"{store}-{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(8))}" : store;
    }

    private byte[] Write()
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer, new JsonWriterOptions { Indented = true }))
        {
            json.WriteStartObject();
            json.WriteString("format", Format);
            json.WriteNumber("version", Version);
            json.WriteString("store", Store.ToString("x16", CultureInfo.InvariantCulture));
            json.WriteNumber("partitions", Partitions);
            json.WriteEndObject();
        }

        buffer.Write("\n"u8);
        return buffer.WrittenSpan.ToArray();
    }

    private static StoreManifest Parse(ReadOnlyMemory<byte> bytes, string location)
    {
        try
        {
            using var document = JsonDocument.Parse(bytes);
            var root = document.RootElement;
            if (root.GetProperty("format").GetString() != Format)
                throw new FormatException("it is not of Polyjuice's logs");
            var version = root.GetProperty("version").GetInt32();
            if (version > Version) throw new LogVersionException($"{location}/{Name}", version, Version);
            var partitions = root.GetProperty("partitions").GetInt32();
            if (partitions is < 1 or > 65_536) throw new FormatException($"it names {partitions} partitions");
            return new StoreManifest(
                ulong.Parse(
                    root.GetProperty("store").GetString()!,
                    NumberStyles.AllowHexSpecifier,
                    CultureInfo.InvariantCulture),
                partitions);
        }
        catch (Exception exception)
            when (exception is JsonException or FormatException or KeyNotFoundException or InvalidOperationException
                or ArgumentNullException or OverflowException)
        {
            throw new LogDamagedException(location, Name, 0, exception.Message.TrimEnd('.'));
        }
    }
}
