using System.Globalization;
using Orleans;

namespace Polyjuice.Lab.Workloads.Mixed;

/// <summary>The names of cells, which say of what kind they are.</summary>
internal static class Cells
{
    private const string Open = "open-";
    private const string Closed = "closed-";

    /// <summary>A cell by its number.</summary>
    public static string Name(int number, bool isClosed) =>
        string.Create(CultureInfo.InvariantCulture, $"{(isClosed ? Closed : Open)}{number:00}");

    /// <summary>
    /// The cell that keeps one of a cell's lists: they are full some day, and then there is another one.
    /// </summary>
    public static string OfList(string cell, int generation) =>
        string.Create(CultureInfo.InvariantCulture, $"{cell}.{generation}");

    /// <summary>Whether its grain takes one call at a time.</summary>
    public static bool IsClosed(string cell) => cell.StartsWith(Closed, StringComparison.Ordinal);

    /// <summary>A reference to it.</summary>
    public static ICellGrain Of(IGrainFactory grains, string cell) =>
        IsClosed(cell) ? grains.GetGrain<IClosedCellGrain>(cell) : grains.GetGrain<IOpenCellGrain>(cell);
}
